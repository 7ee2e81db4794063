//! Two functions called from one place: the return addresses are the same, the locals are not.
//@ nv: stack
#include <brownout.h>

int out, i;
BROWNOUT_NV int result;

static void first(void) {
    int a = 5;
    brownout_checkpoint();
    out += a; //~ NOTE [activation-record] used here
}

static void second(void) {
    int b = 9; //~ ERROR [activation-record] `a`; `result` = 18 instead of 14
    out += b;
}

static void (*const functions[])(void) = {first, second};

int main(void) {
    for (i = 0; i < 2; i++)
        functions[i]();
    result = out;
    return 0;
}
