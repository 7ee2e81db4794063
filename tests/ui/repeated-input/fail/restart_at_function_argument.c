//! The function that is restarted reads the sensor itself.
//@ policy: reactive
//@ args: --static --restart-at function
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int alarm;

static void judge(int level) {
    level = read_adc();
    if (level > 7) { //~ ERROR [repeated-input] whether `alarm` is written
        alarm = 1;
    }
}

int main(void) {
    judge(read_adc());
    return 0;
}
