//! A function returns one of two constants, by the reading; its caller decides.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int alarm;

static int is_hot(void) {
    if (read_adc() > 60) {
        return 1;
    }
    return 0;
}

int main(void) {
    brownout_checkpoint();
    if (is_hot()) { //~ ERROR [repeated-input] whether `alarm` is written
        alarm = 1;
    }
    return 0;
}
