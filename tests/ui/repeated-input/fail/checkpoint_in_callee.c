//! The reading is taken after the checkpoint of a helper.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int alarm;

static int sample(void) {
    brownout_checkpoint();
    return read_adc();
}

int main(void) {
    for (;;) {
        int level = sample();
        if (level > 7) { //~ ERROR [repeated-input] whether `alarm` is written
            alarm = 1;
        }
    }
}
