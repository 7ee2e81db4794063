//! A pointer can only point to one variable: both sides write it.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int which;
int left;
int right;

int main(void) {
    brownout_checkpoint();
    right = 0;
    int *p = which ? &left : &left;
    if (read_adc() > 7) {
        *p = 1;
    } else {
        left = 0;
        right = 0;
    }
    return 0;
}
