//! What every checkpoint saves is configured, and one variable is forgotten.
//@ args: --static
//@ config: [power]
//@ config: saves = ["door"]
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int door;
int window;

int main(void) {
    for (;;) {
        brownout_checkpoint();
        if (read_adc() > 7) { //~ ERROR [repeated-input] whether `window` is written
            door = 1;
        } else {
            window = 1;
        }
    }
}
