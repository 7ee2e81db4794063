//! Both variables are in a section that is non-volatile.
//@ args: --static
#include <brownout.h>

#define PERSISTENT __attribute__((section(".persistent")))

int read_adc(void) BROWNOUT_INPUT;

PERSISTENT int total = 0;
PERSISTENT int alarm = 0;

int main(void) {
    brownout_checkpoint();
    int level = read_adc();
    total = level;
    if (level > 7) { //~ ERROR [repeated-input] whether `alarm` is written
        alarm = 1;
    }
    return alarm;
}
