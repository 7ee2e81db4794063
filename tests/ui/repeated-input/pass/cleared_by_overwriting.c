//! The reading is replaced by the setting before it decides anything.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int manual;
int setting;
int shown;
int alarm;

int main(void) {
    brownout_checkpoint();
    int level = read_adc();
    shown = level;
    level = setting;
    if (level > 7) {
        alarm = 1;
    }
    return 0;
}
