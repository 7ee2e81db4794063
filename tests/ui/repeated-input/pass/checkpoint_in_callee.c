//! The helper takes the reading and then a checkpoint.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int alarm;

static int sample(void) {
    int level = read_adc();
    brownout_checkpoint();
    return level;
}

int main(void) {
    for (;;) {
        int level = sample();
        if (level > 7) {
            alarm = 1;
        }
    }
}
