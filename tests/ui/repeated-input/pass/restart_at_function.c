//! Execution resumes at the start of a function, which initialises the variable.
//@ policy: reactive
//@ args: --static --restart-at function
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int alarm;

static void judge(void) {
    alarm = 0;
    int level = read_adc();
    if (level > 7) {
        alarm = 1;
    }
}

int main(void) {
    judge();
    return 0;
}
