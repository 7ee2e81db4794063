//! One job per boot: the index, then an entry, which may never come.
//@ restart: harm
//@ restart fresh: harm
//@ input sense: 11 12 13 14
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;

BROWNOUT_NV int log[4], head;

int main(void) {
    head = head + 1;                //~ restart: log
    log[(head - 1) & 3] = sense();  //~^ restart fresh: log
    return 0;
}
