//! A driver fills a buffer; a byte of it is used after the checkpoint.
//@ nv: !globals
//@ config: [[input]]
//@ config: function = "i2c_read"
//@ config: fills = "arg1"
//@ config: length = "arg2"
//@ config: values = [1, 2, 3, 4]
//@ config: model = "most-recent"
#include <brownout.h>
int i2c_read(int device, unsigned char *buffer, int length);
void send(int) BROWNOUT_OUTPUT(absolute);
unsigned char buffer[4], own[4];

int main(void) {
    i2c_read(0x48, buffer, 2);  //~ ERROR [stale-input] a reading of `i2c_read` is 1 commit old
    brownout_checkpoint();
    send(buffer[1]);            //~ NOTE [stale-input] used here
    send(buffer[2]);
    send(own[0]);
    return 0;
}
