//! Irreducible control flow: a loop that is entered in the middle.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int resumed;
int low;

int main(void) {
    int rounds = 0;
    brownout_checkpoint();
    if (resumed) {
        goto middle;
    }
top:
    rounds++;
middle:
    if (read_adc() < 10) { //~ ERROR [repeated-input] whether `low` is written
        low = 1;
    }
    if (rounds < 4) {
        goto top;
    }
    return 0;
}
