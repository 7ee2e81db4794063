//! A sensor returns a structure, which is too large for registers on some targets.
#include <brownout.h>

struct tilt {
    int x, y, z;
};

struct tilt sense(void) BROWNOUT_INPUT;

BROWNOUT_NV int up, down;

int main(void) {
    brownout_checkpoint();
    struct tilt now = sense();
    if (now.x > 5) { //~ ERROR [repeated-input] whether `down` and `up` are written
        up = 1;
    } else {
        down = 1;
    }
    brownout_checkpoint();
    return 0;
}
