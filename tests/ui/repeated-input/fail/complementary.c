//! Two branches on one reading leave a gap in which nothing is written.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int fan = 2;

int main(void) {
    brownout_checkpoint();
    int level = read_adc();
    if (level > 30) { //~ ERROR [repeated-input] whether `fan` is written
        fan = 1;
    }
    if (level < 20) { //~ ERROR [repeated-input] whether `fan` is written
        fan = 0;
    }
    return 0;
}
