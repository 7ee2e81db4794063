//! A checkpoint between the read and both writes.
#include <brownout.h>

int level = 1;
int seen;

int main(void) {
    brownout_checkpoint();
    seen = level;
    brownout_checkpoint();
    level = 2;
    level = 3;
    return 0;
}
