//! A reading in non-volatile memory is used many commits later.
//@ nv: symbol:last
#include <brownout.h>
int read_temp(void) BROWNOUT_INPUT;
void send(int) BROWNOUT_OUTPUT(absolute);
BROWNOUT_MOST_RECENT int last;

int main(void) {
    last = read_temp();         //~ ERROR [stale-input] `last` holds a reading of `read_temp` that is 5 commits old
    for (int i = 0; i < 5; i++)
        brownout_checkpoint();
    send(last);                 //~ NOTE [stale-input] used here
    return 0;
}
