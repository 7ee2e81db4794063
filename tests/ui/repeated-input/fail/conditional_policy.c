//! The checkpoint between the reading and the branch may not commit.
//@ args: --static
//@ policy: conditional
//@ depth: 1000
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int alarm;
int calm;

int main(void) {
    brownout_checkpoint();
    int level = read_adc();
    brownout_checkpoint();
    if (level > 7) { //~ ERROR [repeated-input] whether `alarm` and `calm` are written
        alarm = 1;
    } else {
        calm = 1;
    }
    return 0;
}
