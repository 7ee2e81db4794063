//! A lamp that is switched in every round comes to the same place inside its loop as often as if power had not failed,
//! but a round later.
//@ policy: conditional
//@ depth: 33
//@ target: msp430
#include <brownout.h>

BROWNOUT_NV volatile int lamp;

int main(void) {
    brownout_checkpoint();
    for (;;) {
        if (lamp == 0) {
            lamp = 6; //~ ERROR [war] `lamp` = 0 instead of 1
            lamp = 1; //~ NOTE [war] `lamp`; benign
        } else {
            lamp = 0;
        }
    }
}
