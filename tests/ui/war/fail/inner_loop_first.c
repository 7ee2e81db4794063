//! The first thing in the main loop is another loop: its rounds are no quiet moments of the main loop.
//@ policy: restart
#include <brownout.h>

BROWNOUT_NV unsigned taken, given;
void show(unsigned) BROWNOUT_OUTPUT(absolute);

static unsigned step;

int main(void) {
    if (taken != given) { //~ NOTE [war] read here
        given = taken;
        show(9999);
    }
    for (;;) {
        while (step < 2) {
            if (step == 0) {
                taken++; //~ ERROR [war] `taken`
            } else {
                given++;
            }
            step++;
        }
        step = 0;
        show(taken);
    }
}
