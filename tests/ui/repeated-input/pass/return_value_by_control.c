//! A function returns one of two constants, by the reading; its caller stores the result.
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
    alarm = is_hot();
    return 0;
}
