//! A counter that TI's compiler keeps in FRAM is saved.
#include <brownout.h>
#include <msp430.h>
#pragma PERSISTENT(count)
int count = 0;
int scratch;
int main(void) {
    WDTCTL = WDTPW | WDTHOLD;
    brownout_checkpoint_with(&count, sizeof count);
    int t = count;
    count = t + 1;
    scratch = scratch + 1;
    __no_operation();
    brownout_checkpoint();
    return 0;
}
