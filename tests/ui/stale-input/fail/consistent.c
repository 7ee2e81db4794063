//! Three axes must be of one power cycle.
//@ nv: !globals
//@ config: consistent = ["accel_x", "accel_y", "accel_z"]
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
    int x = accel_x();                    //~ ERROR [stale-input] readings of different power cycles are used together: `accel_x`, `accel_y`, `accel_z`
    brownout_checkpoint();
    int y = accel_y(), z = accel_z();
    int square = x * x + y * y + z * z;   //~ NOTE [stale-input] used here
    send(square);
    return 0;
}
