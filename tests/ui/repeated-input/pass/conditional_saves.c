//! Both checkpoints save the variable, whichever commits; and a start from the beginning initialises it.
//@ args: --static
//@ policy: conditional
//@ depth: 1000
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int alarm;

int main(void) {
    alarm = 0;
    brownout_checkpoint_with(&alarm, sizeof alarm);
    int level = read_adc();
    brownout_checkpoint_with(&alarm, sizeof alarm);
    if (level > 7) {
        alarm = 1;
    }
    return 0;
}
