//! A variable that only one side writes, and only that side reads, after it has written it: no one sees the difference.
//@ args: --static
#include <brownout.h>

int in(void) BROWNOUT_INPUT;

static int excess;
int level;
int last;

int main(void) {
    brownout_checkpoint();
    int now = in();
    if (now > 5) {
        excess = now - 5;
        level = excess * 2;
    } else {
        level = 0;
    }
    last = level;
    return 0;
}
