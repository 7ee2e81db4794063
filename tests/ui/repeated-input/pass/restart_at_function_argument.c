//! The function that is restarted gets the reading as an argument, which is the same in each attempt.
//@ policy: reactive
//@ args: --static --restart-at function
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int alarm;

static void judge(int level) {
    if (level > 7) {
        alarm = 1;
    }
}

int main(void) {
    judge(read_adc());
    return 0;
}
