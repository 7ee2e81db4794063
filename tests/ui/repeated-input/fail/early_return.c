//! A function returns early when the reading is too low.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int stored;
int done;

static void work(void) {
    int level = read_adc();
    if (level < 3) { //~ ERROR [repeated-input] whether `stored` is written
        return;
    }
    stored = level;
}

int main(void) {
    brownout_checkpoint();
    work();
    done = 1;
    return 0;
}
