//! The reading goes through a global that another function tests.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int latest;
int alarm;

static void sample(void) {
    latest = read_adc();
}

static void judge(void) {
    if (latest > 12) { //~ ERROR [repeated-input] whether `alarm` is written
        alarm = 1;
    }
}

int main(void) {
    brownout_checkpoint();
    sample();
    judge();
    return 0;
}
