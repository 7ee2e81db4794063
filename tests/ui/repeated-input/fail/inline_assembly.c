//! Assembly that is not understood stands before a decision on a reading.
//@ args: --static
//@ possible: inline assembly is not executed
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int level;
int alarm;

int main(void) {
    brownout_checkpoint();
    level = read_adc();
    __asm__ volatile("bis #0x10, r2");
    if (level > 7) { //~ ERROR [repeated-input] whether `alarm` is written
        alarm = 1;
    }
    return 0;
}
