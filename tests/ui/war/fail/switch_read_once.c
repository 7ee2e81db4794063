//! A switch that is read once, when the device starts: with some settings a failure between two counters leaves them
//! apart, and the first boot has another one.
//@ policy: restart
#include <brownout.h>

int position(void) BROWNOUT_INPUT;
BROWNOUT_NV volatile int first, second;

int main(void) {
    int even = !(position() & 1);
    for (;;) {
        if (!even)
            first = 0;
        first++; //~ ERROR [war] `first`
        second++;
    }
}
