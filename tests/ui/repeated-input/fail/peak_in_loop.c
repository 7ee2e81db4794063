//! The highest of eight readings is kept in a variable that an earlier attempt has already raised.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int peak;

int main(void) {
    brownout_checkpoint();
    for (int i = 0; i < 8; i++) {
        int now = read_adc();
        if (now > peak) { //~ ERROR [repeated-input] whether `peak` is written
            peak = now;   //~ ERROR [war] `peak`
        }
    }
    return 0;
}
