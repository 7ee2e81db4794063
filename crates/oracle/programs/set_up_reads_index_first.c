//! The index is ahead of the entry: an entry stays empty.
//@ restart fresh: harm
//@ restart: harm
//@ input sense: 13 26 39 2 15 28 41 4 17 30 43 6
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;

BROWNOUT_NV int log[8], n;

int main(void) {
    sense();
    int zero = sense();
    while (n < 8) {
        n = n + 1;                      //~ restart: log
        log[n - 1] = sense() - zero;    //~^ restart fresh: log
    }
    return 0;
}
