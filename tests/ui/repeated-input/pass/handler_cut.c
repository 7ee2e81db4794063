//! The handler writes one thing: it came, or it did not.
//@ config: [[interrupt]]
//@ config: function = "measured"
//@ config: when = "enabled"
#include <brownout.h>

void __enable_interrupt(void);
void __disable_interrupt(void);
BROWNOUT_NV volatile unsigned int both = 1;
BROWNOUT_NV volatile unsigned char done = 2;

void measured(void) {
    both = 0x0201;
}

int main(void) {
    brownout_checkpoint();
    __enable_interrupt();
    done = 3;
    __disable_interrupt();
    brownout_checkpoint();
    return 0;
}
