//! A function without a body fills its result from the configuration that it is given a pointer to.
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
    raw = setting;
    filter(&raw, &smooth);
    if (smooth > 7) {
        alarm = 1;
    }
    return 0;
}
