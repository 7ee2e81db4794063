//! The function that is restarted gets the reading as an argument, which is the same in each attempt.
//@ policy: reactive
//@ args: --static --restart-at function
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int alarm;

void judge(int level) {
    if (level > 7) {
        alarm = 1;
    }
}

int sample(void) {
    return read_adc();
}
