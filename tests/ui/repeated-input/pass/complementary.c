//! Two branches on one reading that exclude each other: one of them always writes.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int fan;

int main(void) {
    brownout_checkpoint();
    int level = read_adc();
    if (level > 30) {
        fan = 1;
    }
    if (level <= 30) {
        fan = 0;
    }
    return 0;
}
