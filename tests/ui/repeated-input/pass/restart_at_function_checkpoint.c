//! Execution goes on after the checkpoint in the function, where the variable is written first.
//@ args: --static --restart-at function
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int alarm;

void step(void) {
    brownout_checkpoint();
    alarm = 0;
    if (read_adc() > 7) {
        alarm = 1;
    }
}
