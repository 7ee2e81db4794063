//! The stack is volatile: the checkpoint restores local variables.
//@ args: --static
//@ nv: globals
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int result;

int main(void) {
    volatile int seen = 0;
    brownout_checkpoint();
    if (read_adc() > 7) {
        seen = 1;
    }
    result = seen;
    return 0;
}
