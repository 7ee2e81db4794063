//! A checkpoint between the reading and the branch: the branch is always decided by the same reading.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int careful;
int alarm;
int calm;

int main(void) {
    brownout_checkpoint();
    int level = read_adc();
    brownout_checkpoint();
    if (level > 7) {
        alarm = 1;
    } else {
        calm = 1;
    }
    return 0;
}
