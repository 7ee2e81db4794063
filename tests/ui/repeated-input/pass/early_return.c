//! A function returns early when the reading is too low, after it has stored a default.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int stored;
int done;

static void work(void) {
    int level = read_adc();
    stored = -1;
    if (level < 3) {
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
