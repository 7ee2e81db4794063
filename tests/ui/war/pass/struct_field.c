//! The field is saved; that the others are not does not matter.
#include <brownout.h>

struct calibration {
    char id;
    int offset;
    long gain;
} calibration = {'t', 5, 100};
int seen;

int main(void) {
    brownout_checkpoint_with(&calibration.offset, sizeof calibration.offset);
    seen = calibration.offset;
    calibration.offset = 8;
    calibration.gain = 200;
    return 0;
}
