//! A lock that is taken when power fails stays taken: the boot waits for nobody.
//@ policy: restart
#include <brownout.h>

BROWNOUT_NV volatile int locked;
BROWNOUT_NV int level;

int main(void) {
    while (locked)
        ;
    locked = 1; //~ ERROR [war] `locked` is overwritten, and a reboot right after it reads what does not fit; confirmed; no-progress
    level = 5;
    locked = 0;
    return 0;
}
