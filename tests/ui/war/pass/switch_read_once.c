//! One counter, and one store.
//@ policy: restart
#include <brownout.h>

int position(void) BROWNOUT_INPUT;
BROWNOUT_NV volatile int first;

int main(void) {
    int even = !(position() & 1);
    for (;;) {
        if (!even)
            first = 0;
        first++;
    }
}
