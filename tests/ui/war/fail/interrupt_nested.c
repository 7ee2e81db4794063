//! A more urgent handler interrupts another one and counts in two variables: a failure between the two
//! leaves them apart. It does so only while the other one runs.
//@ policy: restart
//@ target: thumbv7m
//@ config: [[interrupt]]
//@ config: function = "TIM3_IRQHandler"
//@ config: priority = 0
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
        first++; //~ ERROR [war] `first`
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
