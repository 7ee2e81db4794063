//! A bit-field decides; another one next to it, in the same byte, was read from a sensor.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

struct status {
    unsigned char level : 4;
    unsigned char mode;
};

int mode;
int alarm;

int main(void) {
    brownout_checkpoint();
    struct status status;
    status.mode = (unsigned char)mode;
    status.level = (unsigned)read_adc() & 15;
    if (status.level > 7) { //~ ERROR [repeated-input] whether `alarm` is written
        alarm = 1;
    }
    return 0;
}
