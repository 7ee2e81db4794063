//! A pill that must not be given twice is remembered too late.
//@ restart: harm
//@ static: harm
#include <brownout.h>
#ifndef BROWNOUT__OUTPUT_at_most_once
#define BROWNOUT__OUTPUT_at_most_once "brownout:output:at_most_once"
#endif

void dispense(int pill) BROWNOUT_OUTPUT(at_most_once);

BROWNOUT_NV int given;

int main(void) {
    brownout_checkpoint();
    if (!given) {
        dispense(1);    //~ static: dispense
        given = 1;      //~^ restart: dispense
    }
    brownout_checkpoint();
    return 0;
}
