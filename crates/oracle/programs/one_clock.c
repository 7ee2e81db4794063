//! One counter from which minutes are computed: a round is done or not done.
//@ restart: harmless
#include <brownout.h>

void show(int minutes) BROWNOUT_OUTPUT();

BROWNOUT_NV int seconds;

int main(void) {
    for (;;) {
        show(seconds / 5);
        seconds = seconds + 1;
    }
}
