//! What one side writes is overwritten later in one mode only.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int mode;
int busy;

int main(void) {
    brownout_checkpoint();
    int level = read_adc();
    if (level > 7) { //~ ERROR [repeated-input] whether `busy` is written
        busy = 1;
    }
    if (mode) {
        busy = 0;
    }
    return 0;
}
