//! Two branches on one reading: on both ways something is left out.
//@ args: --static
//@ config: [[input]]
//@ config: function = "ready"
//@ config: [[output]]
//@ config: function = "unlock"
#include <stdbool.h>

bool ready(void);
void unlock(void);

int width, count;

void sample(void) {
    bool ok = ready();
    if (ok) { //~ ERROR [repeated-input] whether `width` is written
        width = 1;
    }
    unlock();
    if (ok) { //~ ERROR [repeated-input] whether `count` is written
        count = 2;
    }
}
