//! The records of two nested calls are overwritten by two others.
//@ nv: stack
#include <brownout.h>

int out;

static void inner(void) {
    brownout_checkpoint();
    out = 1;
} //~ NOTE [activation-record] used here

static void outer(void) {
    inner();
    out = 2;
} //~ NOTE [activation-record] used here

static void leaf(void) {
    out = 3;
}

static void other(void) {
    leaf(); //~ ERROR [activation-record] `return address of inner`; crash wild-jump
    out = 4;
}

int main(void) {
    outer();
    other(); //~ ERROR [activation-record] `return address of outer`; crash wild-jump
    return 0;
}
