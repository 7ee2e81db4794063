//! Two branches on one reading, with other code between them: whichever way they go, all is written.
//@ args: --static
//@ config: [[input]]
//@ config: function = "ready"
//@ config: [[output]]
//@ config: function = "unlock"
#include <stdbool.h>

bool ready(void);
void unlock(void);

int width, count;

int sample(void) {
    int status = 3;
    bool ok = ready();
    if (ok) {
        width = 1;
    } else {
        width = 0;
        count = 0;
        status = 4;
    }
    unlock();
    if (ok) {
        count = 2;
    }
    return status;
}
