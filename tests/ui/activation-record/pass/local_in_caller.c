//! The callee commits after the caller has changed its variable.
//@ nv: stack
#include <brownout.h>

int out;

static void commit(void) {
    brownout_checkpoint();
    out = 1;
}

static void other(void) {
    out = 2;
}

int main(void) {
    int n = 1;
    n = n + 1;
    commit();
    brownout_checkpoint();
    other();
    out = n;
    return 0;
}
