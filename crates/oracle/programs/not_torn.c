//! A counter of 16 bits on the same machine.
//@ restart: harmless
//@ atomic-write: 2
#include <brownout.h>

BROWNOUT_NV volatile unsigned count = 0xfffe;

int main(void) {
    for (;;)
        count = count + 1;
}
