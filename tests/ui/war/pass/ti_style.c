//! The same, with what is overwritten saved by the checkpoint.
//@ policy: static
#include <msp430.h>
#include <brownout.h>

#pragma PERSISTENT(seconds)
unsigned int seconds = 0;
#pragma DATA_SECTION(history, ".fram_vars")
unsigned int history[4];
#pragma NOINIT(boots)
unsigned int boots;

int main(void) {
    WDTCTL = WDTPW | WDTHOLD;
    brownout_checkpoint_with(&seconds, sizeof seconds, history, sizeof history, &boots, sizeof boots);
    seconds = seconds + 1;
    history[1] = history[1] + 2;
    boots = boots + 1;
    brownout_checkpoint();
    return 0;
}
