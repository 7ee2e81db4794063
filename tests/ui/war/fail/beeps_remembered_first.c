//! Two beeps, each remembered before it is heard. A failure between the two writes has done with the first one: what the
//! second write does is its own, although what is lost is a beep like the first.
//@ policy: restart
#include <brownout.h>

void beep(int tone) BROWNOUT_OUTPUT();
void show(int value) BROWNOUT_OUTPUT();

BROWNOUT_NV volatile char started, finished;

int main(void) {
    if (!started) {
        started = 1; //~ ERROR [war] `started`
        beep(1);
    }
    show(0);
    if (!finished) {
        finished = 1; //~ ERROR [war] `finished`
        beep(1);
    }
    return 0;
}
