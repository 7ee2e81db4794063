//! The reading is used.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int setting;
int alarm;

int main(void) {
    brownout_checkpoint();
    int level = setting;
    level += read_adc();
    if (level > 7) { //~ ERROR [repeated-input] whether `alarm` is written
        alarm = 1;
    }
    return 0;
}
