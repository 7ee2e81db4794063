//! A driver without `main`: one function reads the sensor and stores, another one only looks; the first may store or not.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

static int level;
static int valid;

void level_update(void) {
    int now = read_adc();
    if (now > 0) { //~ ERROR [repeated-input] whether `level` and `valid` are written
        level = now;
        valid = 1;
    }
}

int level_last(void) {
    return valid ? level : -1;
}
