//! The temperature is read after the checkpoint that precedes the decision.
//@ nv: !globals
#include <brownout.h>
int read_temp(void) BROWNOUT_INPUT;
void alarm(void) BROWNOUT_OUTPUT(absolute);
BROWNOUT_MOST_RECENT int t;

int main(void) {
    brownout_checkpoint();
    t = read_temp();
    if (t > 30)
        alarm();
    return 0;
}
