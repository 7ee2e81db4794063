//! Boots are counted in one of two numbers, and a mark that is written at once says in which.
//@ policy: restart
//@ config: memory.atomic-write = 1
#include <brownout.h>

BROWNOUT_NV unsigned boots[2];
BROWNOUT_NV char which;

void show(int number) BROWNOUT_OUTPUT(absolute);

int main(void) {
    boots[1 - which] = boots[which] + 1;
    which = 1 - which;
    for (;;)
        show(boots[(int)which]);
}
