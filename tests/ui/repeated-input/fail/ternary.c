//! An assignment on each side of a conditional expression.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int high;
int low;

int main(void) {
    brownout_checkpoint();
    int level = read_adc();
    level > 7 ? (high = level) : (low = level); //~ ERROR [repeated-input] whether `high` and `low` are written
    return 0;
}
