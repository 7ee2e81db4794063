//! A handler that is cut after its first write did happen: the attempt leaves what an execution leaves in which it came
//! when the region began.
//@ policy: static
//@ config: [[interrupt]]
//@ config: function = "tick"
//@ config: when = "enabled"
//@ known-bug: static analysis lets the handler come before interrupts are enabled, where execution starts
#include <brownout.h>

void __enable_interrupt(void);
void __disable_interrupt(void);
BROWNOUT_NV volatile unsigned char shown = 2, ticks = 1;

void tick(void) {
    ticks = ticks + 1; //~ NOTE [war] `ticks`; benign
    //~^ NOTE [war] `ticks`; benign
    shown = 1;
}

int main(void) {
    brownout_checkpoint();
    __enable_interrupt();
    shown = ticks;
    __disable_interrupt();
    brownout_checkpoint();
    return 0;
}
