//! A reading in floating point decides.
//@ args: --static
#include <brownout.h>

float read_ph(void) BROWNOUT_INPUT;

float acid;
float base;

int main(void) {
    brownout_checkpoint();
    float ph = read_ph() * 0.5f + 1.0f;
    if (ph < 7.0f) { //~ ERROR [repeated-input] whether `acid` and `base` are written
        acid = ph;
    } else {
        base = ph;
    }
    return 0;
}
