//! A function sets a flag when it is called under the branch; the flag decides later, in its negation.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

static int busy;
int idle;

static void set(int *flag) {
    *flag = 1;
}

int main(void) {
    brownout_checkpoint();
    busy = 0;
    if (read_adc() > 7) {
        set(&busy);
    }
    if (!busy) { //~ ERROR [repeated-input] whether `idle` is written
        idle = 1;
    }
    return 0;
}
