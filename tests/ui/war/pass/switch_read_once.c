//! One counter, and one store: whatever the switch says when power is back.
//@ policy: restart
#include <brownout.h>

int position(void) BROWNOUT_INPUT;
BROWNOUT_NV volatile int first;

int main(void) {
    int even = !(position() & 1);
    for (;;) {
        first = even ? first + 1 : 1;
    }
}
