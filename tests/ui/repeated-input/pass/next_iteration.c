//! A flag that the reading sets in one iteration decides in the next; what it may write was written before.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int warned;

int main(void) {
    brownout_checkpoint();
    warned = 0;
    int high = 0;
    for (int i = 0; i < 4; i++) {
        if (high) {
            warned = 1;
        }
        high = 0;
        if (read_adc() > 7) {
            high = 1;
        }
    }
    return 0;
}
