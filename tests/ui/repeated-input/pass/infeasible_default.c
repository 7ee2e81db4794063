//! A switch over two bits that has all four cases: nothing is left for the default that would leave the gain alone.
//@ args: --static
#include <brownout.h>

unsigned int in(void) BROWNOUT_INPUT;

int gain;

int main(void) {
    brownout_checkpoint();
    switch (in() & 3) {
    case 0:
        gain = 1;
        break;
    case 1:
        gain = 2;
        break;
    case 2:
        gain = 4;
        break;
    case 3:
        gain = 8;
        break;
    }
    return 0;
}
