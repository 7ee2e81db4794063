//! All four sensors are read where they are used.
//@ nv: !globals
//@ config: [[input]]
//@ config: function = "read1"
//@ config: range = [0, 9]
//@ config: model = "most-recent"
//@ config: [[input]]
//@ config: function = "read2"
//@ config: range = [0, 9]
//@ config: [[input]]
//@ config: function = "read3"
//@ config: range = [0, 9]
//@ config: [[input]]
//@ config: function = "read4"
//@ config: range = [0, 9]
//@ config: model = "most-recent"
#include <brownout.h>
int read1(void), read2(void), read3(void), read4(void);
void transmit(int) BROWNOUT_OUTPUT(relative);

int main(void) {
    for (int round = 0; round < 10; round++) {
        int a = read1(), b = read2(), c = read3(), d = read4();
        transmit(a + b + c + d);
        brownout_checkpoint();
    }
    return 0;
}
