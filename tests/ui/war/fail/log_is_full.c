//! A log that gets full, in which each entry counts before it is there: it keeps one that is none.
//@ policy: restart
#include <brownout.h>

BROWNOUT_NV volatile int entry[20];
BROWNOUT_NV volatile int used;

int sense(void) BROWNOUT_INPUT_RANGE(1, 50);

int main(void) {
    for (;;) {
        int last = used; //~ NOTE [war] read here
        if (last < 20) {
            used = last + 1; //~ ERROR [war] `used`
            entry[last] = sense();
        }
    }
}
