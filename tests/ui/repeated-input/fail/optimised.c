//! The same after optimisation.
//@ args: --static
//@ flags: -O2
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;
void show(int value) BROWNOUT_OUTPUT(absolute);

int high;
signed char low;

int main(void) {
    brownout_checkpoint();
    int level = read_adc();
    if (level > 7) { //~ ERROR [repeated-input] whether `high` and `low` are written
        show(level);
        high = level;
    } else {
        low = (signed char)level;
    }
    return 0;
}
