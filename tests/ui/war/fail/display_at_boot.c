//! A lamp is switched on and off in every round; the boot only switches it off: a failure after the count keeps the lamp dark.
//@ config: [[output]]
//@ config: function = "lamp"
//@ config: semantics = "absolute"
#include <brownout.h>

void lamp(int on);

BROWNOUT_NV int count;

int main(void) {
    lamp(0);
    for (;;) {
        count++; //~ ERROR [war] `count`
        lamp(1);
        lamp(0);
    }
}
