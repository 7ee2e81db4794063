//! The reading is replaced by the setting only in one mode.
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
    if (manual) {
        level = setting;
    }
    if (level > 7) { //~ ERROR [repeated-input] whether `alarm` is written
        alarm = 1;
    }
    return 0;
}
