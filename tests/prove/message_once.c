//! A message that is sent exactly once is harmless, but not repeatable.
//@ verdict: unknown
#include <brownout.h>
void send(int value) BROWNOUT_OUTPUT(absolute);
BROWNOUT_NV int sent;
int main(void) {
    brownout_checkpoint();
    if (!sent) {
        send(7);
        sent = 1;
    }
    brownout_checkpoint();
    return 0;
}
