//! A loop that runs at least once notes that it ran.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int polled;

int main(void) {
    brownout_checkpoint();
    int level;
    do {
        polled = 1;
        level = read_adc();
    } while (level < 3);
    return level;
}
