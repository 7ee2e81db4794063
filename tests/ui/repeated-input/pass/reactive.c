//! A checkpoint may sit anywhere; what follows the reading writes the variable in any case.
//@ args: --static
//@ policy: reactive
//@ depth: 1000
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int alarm;

int main(void) {
    alarm = 0;
    int level = read_adc();
    alarm = level > 7;
    return 0;
}
