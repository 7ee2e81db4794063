//! A setting that is kept, then shown in every round: a failure in between keeps it from being shown
//! once, but the round after the boot shows the one that holds then.
//@ restart: harmless
//@ input command: 5 0 7 0 0 9
#include <brownout.h>

int command(void) BROWNOUT_INPUT;
void show(int value) BROWNOUT_OUTPUT(absolute);

BROWNOUT_NV int setting = 3;

int main(void) {
    for (;;) {
        int wanted = command();
        if (wanted > 0)
            setting = wanted;
        show(setting);
    }
}
