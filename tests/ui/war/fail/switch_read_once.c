//! A switch that is read once, when the device starts: with some settings a failure between two counters leaves them
//! apart, and the first boot has another one. If the switch is moved while power is off, a counter that was only cleared
//! stays behind as well.
//@ policy: restart
#include <brownout.h>

int position(void) BROWNOUT_INPUT;
BROWNOUT_NV volatile int first, second;

int main(void) {
    int even = !(position() & 1);
    for (;;) {
        if (!even)
            first = 0; //~ ERROR [war] `first`
        first++; //~ ERROR [war] `first`
        second++;
    }
}
