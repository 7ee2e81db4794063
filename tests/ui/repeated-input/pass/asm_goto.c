//! `asm goto` goes to a label that it lists, or on, as what it is given says.
//@ args: --static
#include <brownout.h>

int in(void) BROWNOUT_INPUT;

int early, late;

int poll(void) {
    int value = in();
    early = 0;
    late = 0;
    asm goto("" : : "r"(value) : : out);
    early = 1;
    return 0;
out:
    late = 1;
    return 1;
}
