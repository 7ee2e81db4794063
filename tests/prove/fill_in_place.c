//! A loop changes every element of the buffer in place.
//@ verdict: counterexample
#include <brownout.h>
BROWNOUT_NV int buffer[4] = {1, 2, 3, 4};
int main(void) {
    brownout_checkpoint();
    for (int i = 0; i < 4; i++) buffer[i] = buffer[i] + 1;
    brownout_checkpoint();
    return buffer[0];
}
