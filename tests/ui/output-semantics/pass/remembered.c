//! What must not happen twice is remembered before it is done: the next time is not the last one again.
#include <brownout.h>

void fire(void) BROWNOUT_OUTPUT(at_most_once);
int button(void) BROWNOUT_INPUT;

BROWNOUT_NV unsigned armed;

int main(void) {
    for (;;) {
        if (!armed) {
            armed = button() & 1;
        } else {
            armed = 0;
            fire();
        }
    }
}
