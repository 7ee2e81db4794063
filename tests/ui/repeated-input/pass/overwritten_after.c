//! What one side writes is overwritten later in any case.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int mode;
int busy;

int main(void) {
    brownout_checkpoint();
    int level = read_adc();
    if (level > 7) {
        busy = 1;
    }
    busy = mode;
    return 0;
}
