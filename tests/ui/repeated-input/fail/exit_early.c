//! The program ends early when the reading is too low, with what another attempt stored.
//@ args: --static
#include <brownout.h>
#include <stdlib.h>

int read_adc(void) BROWNOUT_INPUT;

int stored;

int main(void) {
    brownout_checkpoint();
    int level = read_adc();
    if (level < 3) { //~ ERROR [repeated-input] whether `stored` is written
        exit(1);
    }
    stored = level;
    return 0;
}
