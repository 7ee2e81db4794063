//! A device that has done all its work stays where it is from then on, also if power fails: no later moment brings it back.
//@ policy: restart
#include <brownout.h>

BROWNOUT_NV unsigned used;
int event(void) BROWNOUT_INPUT_RANGE(0, 1);
void show(unsigned) BROWNOUT_OUTPUT(absolute);

int main(void) {
    if (used >= 20) {
        show(9999);
        for (;;) {}
    }
    show(used);
    for (;;) {
        if (event()) {
            used++;
        }
    }
}
