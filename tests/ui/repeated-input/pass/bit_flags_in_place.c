//! Flags of one word are set in place, one on each side, in a word that every attempt has cleared.
//@ args: --static
#include <brownout.h>

#define HOT 0x02
#define COLD 0x04

int read_heat(void) BROWNOUT_INPUT;

unsigned int flags;

int main(void) {
    brownout_checkpoint();
    flags = 0;
    if (read_heat() > 60) {
        flags |= HOT;
    } else {
        flags |= COLD;
    }
    return 0;
}
