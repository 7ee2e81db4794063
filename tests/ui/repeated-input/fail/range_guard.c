//! A reading is limited to one bound only: the branch that handles the other one is taken sometimes.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int level;
int fault;

int main(void) {
    brownout_checkpoint();
    int now = read_adc();
    if (now > 100) {
        now = 100;
    }
    level = now;
    if (now < 0 || now > 100) { //~ ERROR [repeated-input] whether `fault` is written
        fault = 1;
    }
    return 0;
}
