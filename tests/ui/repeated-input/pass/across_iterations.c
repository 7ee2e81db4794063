//! The reading of one iteration decides in the next, after a checkpoint.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int level;
int alarm;

int main(void) {
    for (;;) {
        brownout_checkpoint();
        if (level > 7) {
            alarm = 1;
        }
        brownout_checkpoint();
        level = read_adc();
    }
}
