//! A loop ends when a reading is high enough, and says so in a variable that every attempt clears first.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int found;

int main(void) {
    brownout_checkpoint();
    found = 0;
    for (int i = 0; i < 10; i++) {
        if (read_adc() > 500) {
            found = 1;
            break;
        }
    }
    return 0;
}
