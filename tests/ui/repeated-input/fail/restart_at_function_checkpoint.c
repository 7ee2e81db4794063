//! A function that is restarted at its entry is restarted after a checkpoint in it, too.
//@ args: --static --restart-at function
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int alarm;

void step(void) {
    brownout_checkpoint();
    if (read_adc() > 7) { //~ ERROR [repeated-input] whether `alarm` is written
        alarm = 1;
    }
}
