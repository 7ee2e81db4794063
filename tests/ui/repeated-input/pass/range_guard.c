//! A reading is limited to both bounds: the branch that handles values outside is never taken.
//@ known-bug: the range of a value that two branches have bounded is not known
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
    if (now < 0) {
        now = 0;
    }
    level = now;
    if (now < 0 || now > 100) {
        fault = 1;
    }
    return 0;
}
