//! A function without a body fills its result from the reading that it is given a pointer to.
//@ args: --static
//@ possible: functions without a body are not executed
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;
void filter(const int *from, int *to);

int setting;
int level;
int alarm;

int main(void) {
    int raw;
    int smooth;
    brownout_checkpoint();
    level = read_adc();
    raw = level;
    filter(&raw, &smooth);
    if (smooth > 7) { //~ ERROR [repeated-input] whether `alarm` is written
        alarm = 1;
    }
    return 0;
}
