//! Remembered first: it may be lost, and is never given twice.
//@ restart: harmless
//@ static: harmless
#include <brownout.h>
#ifndef BROWNOUT__OUTPUT_at_most_once
#define BROWNOUT__OUTPUT_at_most_once "brownout:output:at_most_once"
#endif

void dispense(int pill) BROWNOUT_OUTPUT(at_most_once);

BROWNOUT_NV int given;

int main(void) {
    brownout_checkpoint();
    if (!given) {
        given = 1;
        dispense(1);
    }
    brownout_checkpoint();
    return 0;
}
