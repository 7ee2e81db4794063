//! A reading is scaled with a fraction, and has to lie between two numbers.
//@ args: --static
#include <brownout.h>

int adc(void) BROWNOUT_INPUT;

int in_range;

int main(void) {
    brownout_checkpoint();
    float volts = adc() * 0.037f + 0.5f;
    if (volts > 20.0f) { //~ ERROR [repeated-input] whether `in_range` is written
        if (volts < 20.2f) { //~ ERROR [repeated-input] whether `in_range` is written
            in_range = 1;
        }
    }
    return 0;
}
