//! What the second checkpoint saves is no help when it does not commit.
//@ args: --static
//@ policy: conditional
//@ depth: 1000
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int alarm;

int main(void) {
    alarm = 0;
    brownout_checkpoint();
    int level = read_adc();
    brownout_checkpoint_with(&alarm, sizeof alarm);
    if (level > 7) { //~ ERROR [repeated-input] whether `alarm` is written
        alarm = 1;
    }
    return 0;
}
