//! A log that gets full: after that the program goes round and does nothing, and nothing of it is left to be executed.
//@ policy: restart
#include <brownout.h>

BROWNOUT_NV volatile int entry[20];
BROWNOUT_NV volatile int used;

int sense(void) BROWNOUT_INPUT_RANGE(1, 50);

int main(void) {
    for (;;) {
        if (used < 20) {
            entry[used] = sense();
            used = used + 1;
        }
    }
}
