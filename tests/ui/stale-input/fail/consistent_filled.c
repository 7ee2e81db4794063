//! A driver fills one variable of the set, and a copy the other one.
//@ nv: !globals
//@ config: consistent = ["x", "y"]
//@ config: [[input]]
//@ config: function = "i2c_read"
//@ config: fills = "arg1"
//@ config: length = "arg2"
//@ config: values = [1, 2, 3, 4]
#include <brownout.h>
#include <string.h>
int i2c_read(int device, void *buffer, int length);
void send(int, int) BROWNOUT_OUTPUT(absolute);
static unsigned char x, buffer[4], y[2];

int main(void) {
    i2c_read(0x48, &x, 1);      //~ ERROR [stale-input] readings of different power cycles are used together: `x`, `y`
    brownout_checkpoint();
    i2c_read(0x48, buffer, 2);
    memcpy(y, buffer, sizeof y);
    send(x, y[1]);              //~ NOTE [stale-input] used here
    return 0;
}
