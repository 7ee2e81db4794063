//! One assignment of a conditional expression.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int high;
int low;

int main(void) {
    brownout_checkpoint();
    int level = read_adc();
    high = level > 7 ? level : 0;
    low = level > 7 ? 0 : level;
    return 0;
}
