//! A counter that IAR's compiler keeps in FRAM is saved.
#include <brownout.h>
#include <io430.h>
#include <intrinsics.h>
#define PLACE ".fram_vars"
static int count @ PLACE = 0;
__root int scratch;
int main(void) {
    WDTCTL = WDTPW + WDTHOLD;
    __disable_interrupt();
    brownout_checkpoint_with(&count, sizeof count);
    int t = count;
    count = t + 1;
    scratch = scratch + 1;
    brownout_checkpoint();
    return 0;
}
