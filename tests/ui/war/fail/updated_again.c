//! Updates that inputs decide about, of which the result is seen before the next one, or that are no meets and joins.
//@ args: --static
#include <brownout.h>

unsigned read_status(void) BROWNOUT_INPUT;
void show(unsigned bits) BROWNOUT_OUTPUT(absolute);

unsigned faults, flags, frame[8];
unsigned lowest, mixed;

void program(unsigned mask, unsigned at) {
    faults |= read_status(); //~ ERROR [war] `faults`
    flags |= 4; //~ ERROR [war] `flags`
    show(flags);
    flags |= mask; //~ ERROR [war] `flags`
    frame[at & 7] ^= mask; //~ ERROR [war] `frame`
    if (mask < lowest) {
        lowest = mask + 1; //~ ERROR [war] `lowest`
    }
    mixed |= 1; //~ ERROR [war] `mixed`
    if (mixed > mask) {
        mixed = mask; //~ ERROR [war] `mixed`
    }
}
