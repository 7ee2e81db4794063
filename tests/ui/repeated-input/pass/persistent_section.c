//! One variable is in a section that is non-volatile, and every attempt writes it; the other is not.
//@ args: --static
#include <brownout.h>

#define PERSISTENT __attribute__((section(".persistent")))

int read_adc(void) BROWNOUT_INPUT;

PERSISTENT int total = 0;
int alarm = 0;

int main(void) {
    brownout_checkpoint();
    int level = read_adc();
    total = level;
    if (level > 7) {
        alarm = 1;
    }
    return alarm;
}
