//! Three axes of one power cycle, used later: old, but of one time.
//@ nv: !globals
//@ config: consistent = [["accel_x", "accel_y", "accel_z"]]
//@ config: [[input]]
//@ config: function = "accel_x"
//@ config: range = [-9, 9]
//@ config: [[input]]
//@ config: function = "accel_y"
//@ config: range = [-9, 9]
//@ config: [[input]]
//@ config: function = "accel_z"
//@ config: range = [-9, 9]
#include <brownout.h>
int accel_x(void), accel_y(void), accel_z(void);
void send(int) BROWNOUT_OUTPUT(absolute);

int main(void) {
    int x = accel_x(), y = accel_y(), z = accel_z();
    brownout_checkpoint();
    int square = x * x + y * y + z * z;
    send(square);
    return 0;
}
