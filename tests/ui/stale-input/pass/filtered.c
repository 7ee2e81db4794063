//! A running mean is meant to keep what was read before: its tag says so.
//@ nv: !globals
//@ config: [[input]]
//@ config: function = "temperature"
//@ config: range = [0, 99]
//@ config: model = "most-recent"
//@ config: [[variable]]
//@ config: name = "mean"
//@ config: model = "long-term"
#include <brownout.h>
int temperature(void);
void send(int) BROWNOUT_OUTPUT(absolute);
static int mean, sent;

int main(void) {
    for (int i = 0; i < 4; i++) {
        int now = temperature();
        mean = (mean * 3 + now) / 4;
        sent = mean / 2;
        send(sent);
        brownout_checkpoint();
    }
    return 0;
}
