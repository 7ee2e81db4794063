//! The very value that was read is stored.
#include <brownout.h>

int mode = 1;
int seen;

int main(void) {
    brownout_checkpoint();
    seen = mode;
    mode = 1;
    return 0;
}
