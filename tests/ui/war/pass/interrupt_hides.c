//! What is looked at is taken before the checkpoint.
//@ config: [[interrupt]]
//@ config: function = "alarm"
//@ config: when = "enabled"
#include <brownout.h>

void __enable_interrupt(void);
void __disable_interrupt(void);
BROWNOUT_NV volatile unsigned char step = 1, base = 1, first = 1, shown, seen;

void alarm(void) {
    shown = 3;
}

int main(void) {
    unsigned char before = step;
    brownout_checkpoint();
    __enable_interrupt();
    if (before > 1)
        shown = 2;
    else
        step = first + 1;
    base = seen;
    __disable_interrupt();
    brownout_checkpoint();
    return 0;
}
