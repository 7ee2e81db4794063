//! The input chooses the label that is jumped to; each way writes both variables.
//@ args: --static
#include <brownout.h>

unsigned int receive(void) BROWNOUT_INPUT;

int up;
int down;

int main(void) {
    static const void *const ways[] = {&&raise, &&lower};
    brownout_checkpoint();
    goto *ways[receive() & 1];
raise:
    up = 1;
    down = 0;
    return 0;
lower:
    down = 1;
    up = 0;
    return 0;
}
