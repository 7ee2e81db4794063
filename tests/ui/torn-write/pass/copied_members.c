//! A copy of two numbers of one word each: nothing carries from one to the other, and one store switches.
//@ target: msp430
#include <brownout.h>
#include <stdint.h>

struct pair {
    uint16_t now, before;
};
BROWNOUT_NV struct pair slots[2];
BROWNOUT_NV volatile uint8_t current;

int main(void) {
    for (;;) {
        uint8_t old = current;
        struct pair next = {slots[old].now + 1, slots[old].now};
        slots[!old] = next;
        current = !old;
    }
}
