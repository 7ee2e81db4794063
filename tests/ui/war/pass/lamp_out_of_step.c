//! A lamp that is on in every round, whatever it was before.
//@ policy: conditional
//@ depth: 33
//@ target: msp430
#include <brownout.h>

BROWNOUT_NV volatile int lamp;

int main(void) {
    brownout_checkpoint();
    for (;;) {
        if (lamp == 0) {
            lamp = 6; //~ NOTE [war] benign
            lamp = 1; //~ NOTE [war] benign
        } else {
            lamp = 1; //~ NOTE [war] benign
        }
    }
}
