//! The checkpoint between the reading and the branch may not commit; every attempt writes both variables.
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
    if (level > 7) {
        alarm = 1;
        calm = 0;
    } else {
        alarm = 0;
        calm = 1;
    }
    return 0;
}
