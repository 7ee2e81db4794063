//! With checkpoints anywhere nothing is most recent: that is said once.
//@ nv: !globals
//@ policy: reactive
#include <brownout.h>
int read_temp(void) BROWNOUT_INPUT;
void send(int) BROWNOUT_OUTPUT(absolute);
BROWNOUT_MOST_RECENT int t;

int main(void) {
    t = read_temp();   //~ ERROR [stale-input] under the reactive policy every input behaves long-term, but `t` must be most recent
    send(t);           //~ NOTE [stale-input] used here
    send(t + 1);
    return t > 3;
}
