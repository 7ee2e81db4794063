//! An announcement is sent on every reboot on purpose.
//@ nv: !globals
//@ config: [[output]]
//@ config: function = "announce"
//@ config: semantics = "relative"
//@ config: effect = "sent += 1"
//@ config: [environment]
//@ config: sent = 0
#include <brownout.h>
void announce(void);

int main(void) {
    announce();
    brownout_checkpoint();
    return 0;
}
