//! A checkpoint may sit between the initialisation and the reading: the next attempt starts behind the initialisation.
//@ args: --static
//@ policy: reactive
//@ depth: 1000
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
