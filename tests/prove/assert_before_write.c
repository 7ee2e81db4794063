//! Where an assertion fails on a reading, memory holds what a failed attempt has left.
//@ verdict: unknown
//@ reason: `last` can differ
#include <assert.h>
#include <brownout.h>
int sense(void) BROWNOUT_INPUT;
BROWNOUT_NV int last;
int main(void) {
    last = 0;
    brownout_checkpoint();
    int value = sense();
    assert(value < 100);
    last = value;
    brownout_checkpoint();
    return last;
}
