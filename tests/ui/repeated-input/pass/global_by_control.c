//! A function sets a flag when it is called under the branch; the flag decides after the next checkpoint.
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
    brownout_checkpoint();
    if (!busy) {
        idle = 1;
    }
    return 0;
}
