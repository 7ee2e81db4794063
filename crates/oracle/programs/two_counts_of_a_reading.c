//! A reading is counted twice over, in two variables: a failure in between leaves one of them behind. That
//! the two fit together whenever the next reading does not count is no recovery.
//@ restart: harm
//@ input sense: 9 1 2 8 1 9 9 2 1 7 2
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;

BROWNOUT_NV volatile unsigned char strong;
BROWNOUT_NV volatile unsigned char shocks;

int main(void) {
    for (;;) {
        int value = sense();
        strong = (strong + (value > 5)) & 15;       //~ restart: shocks
        shocks = (shocks + 1) & 15;
    }
}
