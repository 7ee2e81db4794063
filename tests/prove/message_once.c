//! A message that is sent exactly once is harmless, but not repeatable.
//@ known-bug: `check` takes the message that was sent before the failure for lost; this is unknown
//@ verdict: counterexample
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
