//! Execution resumes at the start of a function: what its caller initialised stays as an attempt left it.
//@ policy: reactive
//@ args: --static --restart-at function
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int alarm;

static void judge(void) {
    int level = read_adc();
    if (level > 7) { //~ ERROR [repeated-input] whether `alarm` is written
        alarm = 1;
    }
}

int main(void) {
    alarm = 0;
    judge();
    return 0;
}
