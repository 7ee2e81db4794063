//! A driver fills one variable of the set, and a copy the other one, in the same power cycle. What
//! the buffer held before does not matter.
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
    i2c_read(0x48, buffer, 2);
    brownout_checkpoint();
    i2c_read(0x48, &x, 1);
    i2c_read(0x48, buffer, 2);
    memcpy(y, buffer, sizeof y);
    send(x, y[1]);
    return 0;
}
