//! A timer interrupt's work: two inputs, two branches, one of them on both.
//@ args: --static
#include <brownout.h>

int read_light(void) BROWNOUT_INPUT;
int read_motion(void) BROWNOUT_INPUT;

int lamp;
int moved;

void on_timer(void) {
    brownout_checkpoint();
    int light = read_light();
    int motion = read_motion();
    if (motion) { //~ ERROR [repeated-input] whether `moved` is written
        moved = 1;
    }
    if (light + motion * 8 < 20) { //~ ERROR [repeated-input] whether `lamp` is written
        lamp = 1;
    }
}
