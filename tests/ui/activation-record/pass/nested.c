//! A checkpoint in between.
//@ nv: stack
#include <brownout.h>

int out;

static void inner(void) {
    brownout_checkpoint();
    out = 1;
}

static void outer(void) {
    inner();
    out = 2;
}

static void leaf(void) {
    out = 3;
}

static void other(void) {
    leaf();
    out = 4;
}

int main(void) {
    outer();
    brownout_checkpoint();
    other();
    return 0;
}
