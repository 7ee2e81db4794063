//! Sense, process, transmit with four sensors and balanced checkpoints (EWSN'21 §6.3).
//@ nv: !globals
//@ config: [[input]]
//@ config: function = "read1"
//@ config: range = [0, 9]
//@ config: model = "most-recent"
//@ config: [[input]]
//@ config: function = "read2"
//@ config: range = [0, 9]
//@ config: model = "long-term"
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
        int a = read1();        //~ ERROR [stale-input] a reading of `read1` is 3 commits old
        brownout_checkpoint();
        int b = read2();
        brownout_checkpoint();
        int c = read3();
        brownout_checkpoint();
        int d = read4();
        transmit(a + b + c + d); //~ NOTE [stale-input] used here
        brownout_checkpoint();
    }
    return 0;
}
