//! Handlers that attributes of C23 and of GCC name only tell the program that something came.
//@ policy: restart
//@ target: msp430
#include <msp430.h>

unsigned seen __attribute__((section(".persistent"))) = 0;
static volatile unsigned first;
static volatile unsigned second;

[[gnu::interrupt]] void timer(void) {
    first = 1;
}

[[interrupt]] void port(void) {
    second = 1;
}

int main(void) {
    __enable_interrupt();
    for (;;) {
        seen = first;
        P1OUT = second;
    }
}
