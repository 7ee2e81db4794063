//! One field of a structure is read and written; the others are not concerned.
#include <brownout.h>

struct calibration {
    char id;
    int offset;
    long gain;
} calibration = {'t', 5, 100};
int seen;

int main(void) {
    brownout_checkpoint();
    seen = calibration.offset; //~ NOTE [war] read here
    calibration.offset = 8; //~ ERROR [war] `calibration.offset`; `seen` = 8 instead of 5
    calibration.gain = 200;
    return 0;
}
