//! A handler counts what really happened, also in an attempt that fails.
//@ policy: static
#include <brownout.h>
#include <msp430.h>

BROWNOUT_NV volatile unsigned pulses;
unsigned total;

__attribute__((interrupt(PORT1_VECTOR))) void pulse(void) {
    pulses++; //~ NOTE [war] benign
    //~^ NOTE [war] benign
    //~^^ NOTE [war] benign
    //~^^^ NOTE [war] benign
}

int main(void) {
    __enable_interrupt();
    for (int i = 0; i < 8; i++) {
        unsigned now = pulses;
        brownout_checkpoint();
        total = now;
    }
    return total;
}
