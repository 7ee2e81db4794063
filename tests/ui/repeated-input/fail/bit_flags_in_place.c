//! Flags of one word are set in place, one on each side: the word is written anyway, but with what another attempt left in it.
//@ args: --static
#include <brownout.h>

#define HOT 0x02
#define COLD 0x04

int read_heat(void) BROWNOUT_INPUT;

unsigned int flags;

int main(void) {
    brownout_checkpoint();
    if (read_heat() > 60) {
        flags |= HOT; //~ ERROR [war] `flags`
    } else {
        flags |= COLD; //~ ERROR [war] `flags`; possible
    }
    return 0;
}
