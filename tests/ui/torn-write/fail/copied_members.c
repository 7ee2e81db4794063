//! A number of two words that is counted in place is torn where it carries.
//@ target: msp430
#include <brownout.h>
#include <stdint.h>

struct pair {
    uint32_t total;
};
BROWNOUT_NV struct pair slots[2] = {{65534}, {65534}};
BROWNOUT_NV volatile uint8_t current;

int main(void) {
    for (;;) {
        slots[current].total++; //~ ERROR [torn-write] `slots
    }
}
