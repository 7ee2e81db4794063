//! A program as IAR's compiler takes it: keywords and places after `@`.
//@ policy: static
#include <io430.h>
#include <intrinsics.h>
#include <brownout.h>

__persistent unsigned int count = 0;
__no_init unsigned int kept @ ".fram_kept";
#pragma location = ".nvram"
__root unsigned int last;
__no_init unsigned int boots;
static __data16 unsigned int scratch;

int main(void) {
    WDTCTL = WDTPW + WDTHOLD;
    __no_operation();
    brownout_checkpoint();
    count = count + 1; //~ ERROR [war] `count` is read, then overwritten
    kept = kept + 1; //~ ERROR [war] `kept` is read, then overwritten
    last = last + 1; //~ ERROR [war] `last` is read, then overwritten
    boots = boots + 1; //~ ERROR [war] `boots` is read, then overwritten
    scratch = scratch + 1;
    brownout_checkpoint();
    return 0;
}
