//! The local of `f2` overwrites the one of `f1` through one call site: a wrong value, no crash.
//@ nv: stack
//@ config: [memory]
//@ config: atomic-write = "any"
#include <brownout.h>

int out[2], i;
BROWNOUT_NV int result;

static void f1(void) {
    long a = 100000;
    brownout_checkpoint();
    out[0] = (int)(a / 1000); //~ NOTE [activation-record] used here
}

static void f2(void) {
    long b = 200000; //~ ERROR [activation-record] `a`; `result` = 400 instead of 300
    out[1] = (int)(b / 1000);
}

int main(void) {
    for (i = 0; i < 2; i++)
        (i == 0 ? f1 : f2)();
    result = out[0] + out[1];
    return 0;
}
