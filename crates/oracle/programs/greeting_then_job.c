//! A line when the device boots, and a job now and then. A job that a failure has cut short is done in
//! the first round after the boot, so the line comes before it and not after it.
//@ restart: harmless
#include <brownout.h>

void greet(int) BROWNOUT_OUTPUT();
void work(int) BROWNOUT_OUTPUT();

BROWNOUT_NV int now;
BROWNOUT_NV int due = 3;

int main(void) {
    greet(1);
    for (;;) {
        now++;
        if (now >= due) {
            work(due);
            due += 3;
        }
    }
}
