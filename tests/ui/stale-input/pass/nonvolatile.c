//! The same, and it is meant to be.
//@ nv: symbol:last
#include <brownout.h>
int read_temp(void) BROWNOUT_INPUT;
void send(int) BROWNOUT_OUTPUT(absolute);
BROWNOUT_LONG_TERM int last;

int main(void) {
    last = read_temp();
    for (int i = 0; i < 5; i++)
        brownout_checkpoint();
    send(last);
    return 0;
}
