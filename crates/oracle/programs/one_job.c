//! One job per boot: an entry, then the index.
//@ restart: harmless
//@ restart fresh: harmless
//@ input sense: 11 12 13 14
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;

BROWNOUT_NV int log[4], head;

int main(void) {
    log[head & 3] = sense();
    head = head + 1;
    return 0;
}
