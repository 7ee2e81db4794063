//! Assembly that is not understood stands before a decision on nothing.
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
    alarm = level > 7;
    return 0;
}
