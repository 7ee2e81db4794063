//! The stack is non-volatile: a local variable keeps what another attempt has written.
//@ args: --static
//@ nv: globals,stack
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int result;

int main(void) {
    volatile int seen = 0;
    brownout_checkpoint();
    if (read_adc() > 7) { //~ ERROR [repeated-input] seen` is written
        seen = 1;
    }
    result = seen;
    return 0;
}
