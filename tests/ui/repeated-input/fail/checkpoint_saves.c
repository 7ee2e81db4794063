//! The checkpoint saves one of the two variables.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int door;
int window;

int main(void) {
    brownout_checkpoint_with(&door, sizeof door);
    if (read_adc() > 7) { //~ ERROR [repeated-input] whether `window` is written
        door = 1;
    } else {
        window = 1;
    }
    return 0;
}
