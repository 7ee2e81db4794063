//! Irreducible control flow: a loop that is entered in the middle, after the mark was removed.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int resumed;
int low;

int main(void) {
    int rounds = 0;
    brownout_checkpoint();
    low = 0;
    if (resumed) {
        goto middle;
    }
top:
    rounds++;
middle:
    if (read_adc() < 10) {
        low = 1;
    }
    if (rounds < 4) {
        goto top;
    }
    return 0;
}
