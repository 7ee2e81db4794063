//! One side writes, the other only talks to the outside.
//@ args: --static
#include <brownout.h>
#include <stdio.h>

int read_adc(void) BROWNOUT_INPUT;

int last;

int main(void) {
    brownout_checkpoint();
    int level = read_adc();
    if (level > 7) { //~ ERROR [repeated-input] whether `last` is written
        last = level;
    } else {
        printf("low %d\n", level);
    }
    return 0;
}
