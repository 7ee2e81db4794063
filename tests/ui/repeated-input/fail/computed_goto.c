//! The input chooses the label that is jumped to.
//@ known-bug: the jump has no line of its own, and that of the function is shown
//@ args: --static
#include <brownout.h>

unsigned int receive(void) BROWNOUT_INPUT;

int up;
int down;

int main(void) {
    static const void *const ways[] = {&&raise, &&lower};
    brownout_checkpoint();
    goto *ways[receive() & 1]; //~ ERROR [repeated-input] whether `down` and `up` are written
raise:
    up = 1;
    return 0;
lower:
    down = 1;
    return 0;
}
