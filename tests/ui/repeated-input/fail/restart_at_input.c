//! Execution resumes right before the input: what was initialised before that stays as an attempt left it.
//@ policy: reactive
//@ args: --static --restart-at input
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int alarm;

int main(void) {
    alarm = 0;
    int level = read_adc();
    if (level > 7) { //~ ERROR [repeated-input] whether `alarm` is written
        alarm = 1;
    }
    return 0;
}
