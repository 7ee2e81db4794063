//! Execution resumes right before the input, and the variable is initialised after it.
//@ policy: reactive
//@ args: --static --restart-at input
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int alarm;

int main(void) {
    int level = read_adc();
    alarm = 0;
    if (level > 7) {
        alarm = 1;
    }
    return 0;
}
