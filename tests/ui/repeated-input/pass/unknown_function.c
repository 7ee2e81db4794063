//! A function without a body computes something from the configuration.
//@ args: --static
//@ possible: functions without a body are not executed
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;
int linearise(int raw);

int setting;
int level;
int alarm;

int main(void) {
    brownout_checkpoint();
    level = read_adc();
    if (linearise(setting) > 7) {
        alarm = 1;
    }
    return 0;
}
