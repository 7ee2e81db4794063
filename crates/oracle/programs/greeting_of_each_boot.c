//! Boots are counted, and each says hello. The one that power cuts short after it was counted says nothing, which nobody can
//! tell from saying the same twice: what may be repeated is not counted.
//@ restart: harmless
//@ failures: 2
#include <brownout.h>

void hello(int) BROWNOUT_OUTPUT();

BROWNOUT_NV int boots, rounds;

int main(void) {
    boots = boots + 1;
    hello(1);
    for (;;) {
        rounds = rounds + boots;
    }
}
