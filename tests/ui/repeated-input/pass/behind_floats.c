//! A reading is scaled with a fraction, and has to lie between two numbers; both sides write.
//@ args: --static
#include <brownout.h>

int adc(void) BROWNOUT_INPUT;

int in_range;

int main(void) {
    brownout_checkpoint();
    float volts = adc() * 0.037f + 0.5f;
    in_range = volts > 20.0f && volts < 20.2f;
    return 0;
}
