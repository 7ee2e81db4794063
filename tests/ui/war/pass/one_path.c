//! Written before it is read on every path.
#include <brownout.h>

int fresh;
int level = 2;
int seen;

int main(void) {
    brownout_checkpoint();
    level = 3;
    if (fresh)
        seen = 1;
    seen = level;
    level = 5;
    return 0;
}
