//! The index is saved; writing the value twice does no harm.
#include <brownout.h>

int ring[4];
int tail;

int main(void) {
    brownout_checkpoint_with(&tail, sizeof tail);
    ring[tail] = 9;
    tail = (tail + 1) % 4;
    return 0;
}
