//! A running mean keeps what was read before: that is said where it is used first, and not again
//! where something is made of it.
//@ nv: !globals
//@ config: [[input]]
//@ config: function = "temperature"
//@ config: range = [0, 99]
//@ config: model = "most-recent"
#include <brownout.h>
int temperature(void);
void send(int) BROWNOUT_OUTPUT(absolute);
static int mean, sent;

int main(void) {
    for (int i = 0; i < 4; i++) {
        int now = temperature();    //~ ERROR [stale-input] a reading of `temperature` is 1 commit old
        mean = (mean * 3 + now) / 4; //~ NOTE [stale-input] used here
        sent = mean / 2;
        send(sent);
        brownout_checkpoint();
    }
    return 0;
}
