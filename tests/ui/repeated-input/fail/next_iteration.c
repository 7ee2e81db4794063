//! A flag that the reading sets in one iteration decides in the next.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int warned;

int main(void) {
    brownout_checkpoint();
    int high = 0;
    for (int i = 0; i < 4; i++) {
        if (high) { //~ ERROR [repeated-input] whether `warned` is written
            warned = 1;
        }
        high = 0;
        if (read_adc() > 7) {
            high = 1;
        }
    }
    return 0;
}
