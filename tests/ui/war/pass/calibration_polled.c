//! Two values are measured when the device is set up, each after waiting for the converter, and count when both are
//! there.
//@ policy: restart
#include <brownout.h>

int ready(void) BROWNOUT_INPUT;
int convert(void) BROWNOUT_INPUT;
void show(int value) BROWNOUT_OUTPUT();

BROWNOUT_NV int offset, gain;
BROWNOUT_NV volatile char calibrated;

static int sample(void) {
    while (!ready()) {
    }
    return convert() | 1;
}

int main(void) {
    if (!calibrated) {
        offset = sample();
        gain = sample();
        calibrated = 1;
    }
    for (;;) {
        show((sample() - offset) * gain);
    }
}
