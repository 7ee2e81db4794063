//! The same in one word, which is written or not.
//@ target: msp430
#include <brownout.h>
#include <stdint.h>

int code(void) BROWNOUT_INPUT;
BROWNOUT_NV uint16_t key;
BROWNOUT_NV int fits;

int main(void) {
    int entered = code();
    brownout_checkpoint();
    if (entered == 4242)
        if (key == 0)
            key = 0x1001;
    brownout_checkpoint();
    fits = key == 0x1001;
    return 0;
}
