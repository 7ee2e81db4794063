//! The count is written to the other one of two places, and one byte says which of them holds.
//@ policy: restart
//@ config: memory.atomic-write = 1
#include <brownout.h>

BROWNOUT_NV unsigned boots[2];
BROWNOUT_NV unsigned char current;

int main(void) {
    unsigned char next = current ^ 1;
    boots[next] = boots[current] + 1;
    current = next;
    return 0;
}
