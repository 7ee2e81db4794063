//! The checkpoint saves both variables.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int door;
int window;

int main(void) {
    brownout_checkpoint_with(&door, sizeof door, &window, sizeof window);
    if (read_adc() > 7) {
        door = 1;
    } else {
        window = 1;
    }
    return 0;
}
