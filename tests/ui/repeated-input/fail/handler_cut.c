//! Power cuts a handler between two writes, and no interrupt comes after it: what was measured is not what is marked.
//@ config: [[interrupt]]
//@ config: function = "measured"
//@ config: when = "enabled"
#include <brownout.h>

void __enable_interrupt(void);
void __disable_interrupt(void);
BROWNOUT_NV volatile unsigned char value, mark = 1, done = 2;

void measured(void) {
    value = 1; //~ ERROR [repeated-input] the handler `measured`; `value` and `mark`; `value` = 1 instead of 0
    mark = 2;
}

int main(void) {
    brownout_checkpoint();
    __enable_interrupt();
    done = 3;
    __disable_interrupt();
    brownout_checkpoint();
    return 0;
}
