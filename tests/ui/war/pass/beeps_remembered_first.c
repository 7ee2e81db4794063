//! Two beeps, each remembered when it was heard.
//@ policy: restart
#include <brownout.h>

void beep(int tone) BROWNOUT_OUTPUT();
void show(int value) BROWNOUT_OUTPUT();

BROWNOUT_NV volatile char started, finished;

int main(void) {
    if (!started) {
        beep(1);
        started = 1;
    }
    show(0);
    if (!finished) {
        beep(1);
        finished = 1;
    }
    return 0;
}
