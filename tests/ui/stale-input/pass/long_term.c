//! A long-term variable that is never old is worth a note.
//@ nv: !globals
#include <brownout.h>
int read_temp(void) BROWNOUT_INPUT;
void send(int) BROWNOUT_OUTPUT(absolute);
BROWNOUT_LONG_TERM int t;

int main(void) {
    t = read_temp();   //~ NOTE [stale-input] `t` is long-term, and is only used in the power cycle of its reading
    send(t);
    brownout_checkpoint();
    return 0;
}
