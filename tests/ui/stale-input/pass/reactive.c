//! With checkpoints anywhere every input behaves long-term, as it is meant to here.
//@ nv: !globals
//@ policy: reactive
#include <brownout.h>
int read_temp(void) BROWNOUT_INPUT;
void send(int) BROWNOUT_OUTPUT(absolute);
BROWNOUT_LONG_TERM int t;

int main(void) {
    t = read_temp();
    send(t);
    send(t + 1);
    return t > 3;
}
