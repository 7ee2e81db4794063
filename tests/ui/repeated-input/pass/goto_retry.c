//! Readings are repeated with `goto`; the mark is removed by every attempt.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int failed;
int level;

int main(void) {
    brownout_checkpoint();
    failed = 0;
again:
    level = read_adc();
    if (level < 0) {
        failed = 1;
        goto again;
    }
    return 0;
}
