//! A checkpoint between the read and both writes.
#include <brownout.h>

int busy = 1;
int seen;

int main(void) {
    brownout_checkpoint();
    seen = busy;
    brownout_checkpoint();
    busy = 2;
    busy = 1;
    return 0;
}
