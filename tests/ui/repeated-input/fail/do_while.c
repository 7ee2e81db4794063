//! A loop that may not run at all notes that it ran.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int polled;

int main(void) {
    brownout_checkpoint();
    int level = read_adc();
    while (level < 3) { //~ ERROR [repeated-input] whether `polled` is written
        polled = 1;
        level = read_adc();
    }
    return level;
}
