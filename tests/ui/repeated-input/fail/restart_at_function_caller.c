//! The caller is restarted as well, reads again, and calls the function with another argument.
//@ policy: reactive
//@ args: --static --restart-at function
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int alarm;

static void judge(int level) {
    if (level > 7) { //~ ERROR [repeated-input] whether `alarm` is written
        alarm = 1;
    }
}

int main(void) {
    judge(read_adc());
    return 0;
}
