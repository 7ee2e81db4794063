//! A global that held a reading is overwritten after it has decided.
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
    if (level > 7) { //~ ERROR [repeated-input] whether `alarm` is written
        alarm = 1;
    }
    use_setting(&level);
    return 0;
}
