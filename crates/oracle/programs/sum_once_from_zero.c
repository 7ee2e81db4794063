//! A sum that is made once, by a loop whose index is lost, and that begins with zero every time.
//@ restart: harmless
#include <brownout.h>

static const int data[5] = {3, 1, 4, 1, 5};
BROWNOUT_NV int sum;
BROWNOUT_NV int done;

int main(void) {
    if (!done) {
        sum = 0;
        for (volatile int i = 0; i < 5; i++)
            sum += data[i];
        done = 1;
    }
}
