//! A double buffer whose flag is turned before the other buffer is full: after a power failure the
//! half that was in use is written.
//@ verdict: counterexample
//@ finding: war active
#include <brownout.h>
int sense(void) BROWNOUT_INPUT;
BROWNOUT_NV int buffers[2], active;
int main(void) {
    brownout_checkpoint();
    int other = !active;
    active = other;
    buffers[other] = sense();
    brownout_checkpoint();
    return buffers[active];
}
