//! A pointer may point to either variable: one side writes one of them, the other side both.
//@ args: --static
//@ possible: `which` is always 0 in this program
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int which;
int left;
int right;

int main(void) {
    brownout_checkpoint();
    right = 0;
    int *p = which ? &left : &right;
    if (read_adc() > 7) { //~ ERROR [repeated-input] whether `left` is written
        *p = 1;
    } else {
        left = 0;
        right = 0;
    }
    return 0;
}
