//! The program ends early when the reading is too low; both ways store.
//@ args: --static
#include <brownout.h>
#include <stdlib.h>

int read_adc(void) BROWNOUT_INPUT;

int stored;

int main(void) {
    brownout_checkpoint();
    int level = read_adc();
    if (level < 3) {
        stored = 0;
        exit(1);
    }
    stored = level;
    return 0;
}
