//! Remainders have three values and three cases.
//@ args: --static
#include <brownout.h>

unsigned int receive(void) BROWNOUT_INPUT;

int speed;

int main(void) {
    brownout_checkpoint();
    unsigned int mode = receive() % 3;
    switch (mode) {
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
