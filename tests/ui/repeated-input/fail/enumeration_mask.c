//! Remainders have four values, three cases and no default.
//@ args: --static
#include <brownout.h>

unsigned int receive(void) BROWNOUT_INPUT;

int speed;

int main(void) {
    brownout_checkpoint();
    unsigned int mode = receive() % 4;
    switch (mode) { //~ ERROR [repeated-input] whether `speed` is written
    case 0:
        speed = 1;
        break;
    case 1:
        speed = 5;
        break;
    case 2:
        speed = 9;
        break;
    }
    return 0;
}
