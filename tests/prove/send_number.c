//! A number that an output is given is no memory, even if it was an address before.
//@ verdict: proved
#include <brownout.h>
void send(unsigned value) BROWNOUT_OUTPUT(absolute);
BROWNOUT_NV int count;
int main(void) {
    brownout_checkpoint_with(&count, sizeof count);
    count++;
    send((unsigned)(unsigned long)&count);
    brownout_checkpoint();
    return 0;
}
