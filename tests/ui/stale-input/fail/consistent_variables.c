//! One function reads all axes: the set is of variables.
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
    x = accel(0);               //~ ERROR [stale-input] readings of different power cycles are used together: `x`, `main::y`
    brownout_checkpoint();
    int y = accel(1);
    send(x, y);                 //~ NOTE [stale-input] used here
    return 0;
}
