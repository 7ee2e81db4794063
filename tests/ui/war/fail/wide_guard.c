//! A guard that is set last, in two words, by a reading that the execution does not get: power that fails between the
//! words leaves half of it for ever.
//@ target: msp430
#include <brownout.h>
#include <stdint.h>

int code(void) BROWNOUT_INPUT;
BROWNOUT_NV uint32_t key;
BROWNOUT_NV int fits;

int main(void) {
    int entered = code();
    brownout_checkpoint();
    if (entered == 4242)
        if (key == 0) //~ NOTE [torn-write] read here
            key = 0x10001; //~ ERROR [torn-write] `key`; `key` = 1 instead of 65537
    brownout_checkpoint();
    fits = key == 0x10001;
    return 0;
}
