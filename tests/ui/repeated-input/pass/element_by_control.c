//! An element of a local array is set under the branch; another one decides.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int mode;
int alarm;

int main(void) {
    int votes[2];
    brownout_checkpoint();
    votes[0] = mode;
    votes[1] = 0;
    if (read_adc() > 7) {
        votes[1] = 5;
    }
    if (votes[0]) {
        alarm = 1;
    }
    return votes[1];
}
