//! The callee commits; the caller's own variable is a `war`, not a record that is reused.
//@ nv: stack
#include <brownout.h>

int out;
BROWNOUT_NV int result;

static void commit(void) {
    brownout_checkpoint();
    out = 1;
} //~ NOTE [activation-record] used here

static void other(void) {
    out = 2;
}

int main(void) {
    int n = 1;
    commit();
    n = n + 1; //~ ERROR [war] `n`; confirmed
    other(); //~ ERROR [activation-record] `return address of commit`; crash wild-jump
    out = n;
    result = out;
    return 0;
}
