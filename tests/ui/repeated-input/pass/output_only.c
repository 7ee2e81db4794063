//! Both sides only talk to the outside.
//@ args: --static
#include <brownout.h>
#include <stdio.h>

int read_adc(void) BROWNOUT_INPUT;

int last;

int main(void) {
    brownout_checkpoint();
    int level = read_adc();
    if (level > 7) {
        printf("high %d\n", level);
    } else {
        printf("low %d\n", level);
    }
    last = level;
    return 0;
}
