//! The sensor is only woken up: its answer is not used.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int setting;
int alarm;

int main(void) {
    brownout_checkpoint();
    int level = setting;
    read_adc();
    if (level > 7) {
        alarm = 1;
    }
    return 0;
}
