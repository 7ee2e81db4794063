//! A reading goes to the next place of a log when it is high; the checkpoint saves the position only.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int entries[8];
unsigned int position;

int main(void) {
    for (;;) {
        brownout_checkpoint_with(&position, sizeof position);
        int level = read_adc();
        if (level > 7) { //~ ERROR [repeated-input] whether `entries` is written
            entries[position & 7] = level;
            position = position + 1;
        }
    }
}
