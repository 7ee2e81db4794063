//! A helper returns what it is given; the branch is on the result of the other call.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int setting;
int alarm;
int shown;

static int clamp(int value) {
    return value > 100 ? 100 : value;
}

int main(void) {
    brownout_checkpoint();
    int now = clamp(read_adc());
    int limit = clamp(setting);
    shown = now;
    if (limit > 50) {
        alarm = 1;
    }
    return 0;
}
