//! Readings are repeated with `goto`; only a failed one leaves a mark.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int failed;
int level;

int main(void) {
    brownout_checkpoint();
again:
    level = read_adc();
    if (level < 0) { //~ ERROR [repeated-input] whether `failed` is written
        failed = 1;
        goto again;
    }
    return 0;
}
