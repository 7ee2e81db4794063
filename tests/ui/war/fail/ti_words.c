//! A counter that TI's compiler keeps in FRAM is incremented twice.
#include <brownout.h>
#include <msp430.h>
#pragma PERSISTENT(count)
int count = 0;
int scratch;
int main(void) {
    WDTCTL = WDTPW | WDTHOLD;
    brownout_checkpoint();
    int t = count;      //~ NOTE [war] read here
    count = t + 1;      //~ ERROR [war] `count`; `count` = 2 instead of 1
    scratch = scratch + 1;
    __no_operation();
    brownout_checkpoint();
    return 0;
}
