//! The same, and both are written on every side.
#include <brownout.h>

struct tilt {
    int x, y, z;
};

struct tilt sense(void) BROWNOUT_INPUT;

BROWNOUT_NV int up, down;

int main(void) {
    brownout_checkpoint();
    struct tilt now = sense();
    if (now.x > 5) {
        up = 1;
        down = 0;
    } else {
        up = 0;
        down = 1;
    }
    brownout_checkpoint();
    return 0;
}
