//! Two statements on one line, each with a branch of its own, after both variables are written.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int a, b;

int main(void) {
    brownout_checkpoint();
    int level = read_adc();
    a = b = 0;
    if (level > 1) a = 1; if (level > 2) b = 1;
    return 0;
}
