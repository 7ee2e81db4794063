//! Two statements on one line, each with a branch of its own.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int a, b;

int main(void) {
    brownout_checkpoint();
    int level = read_adc();
    if (level > 1) a = 1; if (level > 2) b = 1; //~ ERROR [repeated-input] whether `a` is written
    //~| ERROR [repeated-input] whether `b` is written
    return 0;
}
