//! The temperature is read before the checkpoint and decides after it (EWSN'21, Fig. 2).
//@ nv: !globals
#include <brownout.h>
int read_temp(void) BROWNOUT_INPUT;
void alarm(void) BROWNOUT_OUTPUT(absolute);
BROWNOUT_MOST_RECENT int t;

int main(void) {
    t = read_temp();        //~ ERROR [stale-input] `t` holds a reading of `read_temp` that is 1 commit old; located
    brownout_checkpoint();
    if (t > 30)             //~ NOTE [stale-input] used here
        alarm();
    return 0;
}
