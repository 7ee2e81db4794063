//! A counter that is not meant to count reboots.
#include <brownout.h>

unsigned reboots;

int main(void) {
    brownout_checkpoint();
    reboots = reboots + 1; //~ ERROR [war] `reboots`; `reboots` = 2 instead of 1
    return 0;
}
