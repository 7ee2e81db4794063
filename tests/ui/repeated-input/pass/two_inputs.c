//! A timer interrupt's work: two inputs, two branches, everything written first.
//@ args: --static
#include <brownout.h>

int read_light(void) BROWNOUT_INPUT;
int read_motion(void) BROWNOUT_INPUT;

int lamp;
int moved;

void on_timer(void) {
    brownout_checkpoint();
    lamp = 0;
    moved = 0;
    int light = read_light();
    int motion = read_motion();
    if (motion) {
        moved = 1;
    }
    if (light + motion * 8 < 20) {
        lamp = 1;
    }
}
