//! `asm goto` goes to a label that it lists, or on, as what it is given says.
//@ args: --static
//@ possible: assembly is not executed
#include <brownout.h>

int in(void) BROWNOUT_INPUT;

int early, late;

int poll(void) {
    int value = in();
    asm goto("" : : "r"(value) : : out); //~ ERROR [repeated-input] whether `early` and `late` are written
    early = 1;
    return 0;
out:
    late = 1;
    return 1;
}
