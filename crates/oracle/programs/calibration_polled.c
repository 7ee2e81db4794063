//! Two values are measured when the device is set up, each after waiting for the converter: cut between the two, the
//! device keeps half of a calibration for ever.
//@ restart: harm
#include <brownout.h>

int ready(void) BROWNOUT_INPUT;
int convert(void) BROWNOUT_INPUT;
void show(int value) BROWNOUT_OUTPUT();

BROWNOUT_NV int offset, gain;

static int sample(void) {
    while (!ready()) {
    }
    return convert() | 1;
}

int main(void) {
    if (offset == 0 && gain == 0) {
        offset = sample();      //~ restart: gain, show
        gain = sample();
    }
    for (;;) {
        show((sample() - offset) * gain);
    }
}
