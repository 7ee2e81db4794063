//! A reading in floating point decides, and both sides write.
//@ args: --static
#include <brownout.h>

float read_ph(void) BROWNOUT_INPUT;

float acid;
float base;

int main(void) {
    brownout_checkpoint();
    float ph = read_ph() * 0.5f + 1.0f;
    if (ph < 7.0f) {
        acid = ph;
        base = 7.0f;
    } else {
        base = ph;
        acid = 7.0f;
    }
    return 0;
}
