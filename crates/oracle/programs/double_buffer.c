//! A count in two buffers: the new one is written aside, then one write makes it the current one.
//@ restart: harmless
#include <brownout.h>

BROWNOUT_NV volatile int buffer[2], active;

int main(void) {
    for (;;) {
        int next = active ^ 1;
        buffer[next] = buffer[active] + 1;
        active = next;
    }
}
