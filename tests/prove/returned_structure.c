//! A sensor returns a structure, which decides what is written.
//@ verdict: counterexample
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
    } else {
        down = 1;
    }
    brownout_checkpoint();
    return 0;
}
