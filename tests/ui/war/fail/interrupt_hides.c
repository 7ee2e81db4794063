//! Whatever the program shows, a handler may show something else after it: that one comes again must not hide that the
//! wrong thing was shown.
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
    brownout_checkpoint();
    __enable_interrupt();
    if (step > 1)
        shown = 2;
    else
        step = first + 1; //~ ERROR [war] `step`; `shown` = 2 instead of 0
    seen = seen;
    if (seen > 0) {
        seen = 1; //~ NOTE [war] `seen`; benign
        shown = 0;
    } else
        base = seen;
    __disable_interrupt();
    brownout_checkpoint();
    return 0;
}
