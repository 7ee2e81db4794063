//! Both axes are read after the checkpoint, again and again.
//@ nv: !globals
//@ config: consistent = ["x", "main::y"]
//@ config: [[input]]
//@ config: function = "accel"
//@ config: range = [-9, 9]
#include <brownout.h>
int accel(int axis);
void send(int, int) BROWNOUT_OUTPUT(absolute);
static int x;

int main(void) {
    for (int i = 0; i < 3; i++) {
        brownout_checkpoint();
        x = accel(0);
        int y = accel(1);
        send(x, y);
    }
    return 0;
}
