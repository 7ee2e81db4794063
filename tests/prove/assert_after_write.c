//! The twin of `assert_before_write`: every attempt writes before it asserts.
//@ verdict: proved
#include <assert.h>
#include <brownout.h>
int sense(void) BROWNOUT_INPUT;
BROWNOUT_NV int last;
int main(void) {
    last = 0;
    brownout_checkpoint();
    int value = sense();
    last = value;
    assert(value < 100);
    brownout_checkpoint();
    return last;
}
