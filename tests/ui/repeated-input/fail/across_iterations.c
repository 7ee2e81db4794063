//! The reading decides in the iteration in which it is taken.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int level;
int alarm;

int main(void) {
    for (;;) {
        brownout_checkpoint();
        level = read_adc();
        if (level > 7) { //~ ERROR [repeated-input] whether `alarm` is written
            alarm = 1;
        }
    }
}
