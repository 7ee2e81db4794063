//! One device register is an input, the other only configuration; the branch is on the input.
//@ args: --static
//@ config: [[input]]
//@ config: register = "P1IN"
#include <brownout.h>

extern volatile unsigned char P1IN;
extern volatile unsigned char P1DIR;

int pressed;
int seen;

int main(void) {
    brownout_checkpoint();
    seen = P1IN;
    if (P1IN & 0x08) { //~ ERROR [repeated-input] whether `pressed` is written
        pressed = 1;
    }
    return 0;
}
