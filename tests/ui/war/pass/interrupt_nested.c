//! The same with handlers that are equally urgent: none of them interrupts the other one, and nothing is
//! ever counted.
//@ policy: restart
//@ unknown: what is counted is never executed
//@ target: thumbv7m
#include <cmsis_compiler.h>

int first __attribute__((section(".nv")));
int second __attribute__((section(".nv")));
volatile int busy, work;

void TIM2_IRQHandler(void) {
    busy = 1;
    work = 3;
    busy = 0;
}

void TIM3_IRQHandler(void) {
    if (busy) {
        first++;
        second++;
    }
}

int main(void) {
    __enable_irq();
    while (1) {
        work = 1;
        work = 2;
    }
}
