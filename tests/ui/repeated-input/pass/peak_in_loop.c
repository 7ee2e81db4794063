//! The highest of eight readings is kept in a variable that every attempt resets.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int peak;

int main(void) {
    brownout_checkpoint();
    peak = 0;
    for (int i = 0; i < 8; i++) {
        int now = read_adc();
        if (now > peak) {
            peak = now;
        }
    }
    return 0;
}
