//! A variable that one side writes and that is read later.
//@ args: --static
#include <brownout.h>

int in(void) BROWNOUT_INPUT;

static int excess;
int level;
int last;

int main(void) {
    brownout_checkpoint();
    int now = in();
    if (now > 5) { //~ ERROR [repeated-input] whether `excess` is written
        excess = now - 5;
        level = excess * 2;
    } else {
        level = 0;
    }
    last = excess;
    return 0;
}
