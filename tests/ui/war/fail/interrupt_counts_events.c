//! The handler's events may be counted after a failure; what the main program adds may not be added twice.
//@ policy: static
#include <brownout.h>
#include <msp430.h>

BROWNOUT_NV volatile unsigned pulses;
BROWNOUT_NV unsigned rounds;
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
        rounds++; //~ ERROR [war] `rounds`
        //~^ ERROR [war] `rounds`
        brownout_checkpoint();
        total = now;
    }
    return total;
}
