//! A switch whose default is reached by half of the values and leaves the gain alone.
//@ args: --static
#include <brownout.h>

unsigned int in(void) BROWNOUT_INPUT;

int gain;

int main(void) {
    brownout_checkpoint();
    switch (in() & 7) { //~ ERROR [repeated-input] whether `gain` is written
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
