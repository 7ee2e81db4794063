//! The same after optimisation, where each side writes both.
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
    if (level > 7) {
        show(level);
        high = level;
        low = 0;
    } else {
        low = (signed char)level;
        high = 0;
    }
    return 0;
}
