//! A checkpoint between the reading and the branch, but not on every path.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int careful;
int alarm;
int calm;

int main(void) {
    brownout_checkpoint();
    int level = read_adc();
    if (careful) {
        brownout_checkpoint();
    }
    if (level > 7) { //~ ERROR [repeated-input] whether `alarm` and `calm` are written
        alarm = 1;
    } else {
        calm = 1;
    }
    return 0;
}
