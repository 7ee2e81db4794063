//! A loop ends when a reading is high enough, and says so in a variable that the next attempt may not clear.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int found;

int main(void) {
    brownout_checkpoint();
    for (int i = 0; i < 10; i++) {
        if (read_adc() > 500) { //~ ERROR [repeated-input] whether `found` is written
            found = 1;
            break;
        }
    }
    return 0;
}
