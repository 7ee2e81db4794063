//! Nobody holds a lock when the device boots.
//@ policy: restart
#include <brownout.h>

BROWNOUT_NV volatile int locked;
BROWNOUT_NV int level;

int main(void) {
    locked = 0;
    while (locked)
        ;
    locked = 1;
    level = 5;
    locked = 0;
    return 0;
}
