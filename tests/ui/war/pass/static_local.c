//! The function commits, and saves its variable.
#include <brownout.h>

int seen;

static int serial(void) {
    static int last = 100;
    brownout_checkpoint_with(&last, sizeof last);
    last = last + 1;
    return last;
}

int main(void) {
    brownout_checkpoint();
    seen = serial();
    return 0;
}
