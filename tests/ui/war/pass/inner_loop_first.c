//! The first thing in the main loop is another loop, and one store at its end says what it has done.
//@ policy: restart
#include <brownout.h>

BROWNOUT_NV unsigned taken;
void show(unsigned) BROWNOUT_OUTPUT(absolute);

static unsigned step;

int main(void) {
    unsigned now = taken;
    for (;;) {
        while (step < 2) {
            now++;
            step++;
        }
        step = 0;
        show(now);
        taken = now;
    }
}
