//! The size of a reading is stored.
//@ args: --static
#include <brownout.h>
#include <stdlib.h>

int read_tilt(void) BROWNOUT_INPUT;

int tilted;

int main(void) {
    brownout_checkpoint();
    int size = abs(read_tilt());
    tilted = size > 30;
    return 0;
}
