//! A global that held a reading is overwritten by another function before it decides.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int setting;
int level;
int shown;
int alarm;

static void use_setting(int *to) {
    *to = setting;
}

int main(void) {
    brownout_checkpoint();
    level = read_adc();
    shown = level;
    use_setting(&level);
    if (level > 7) {
        alarm = 1;
    }
    return 0;
}
