//! The second function's local has the very value of the first one's.
//@ nv: stack
#include <brownout.h>

int out, i;

static void first(void) {
    int a = 5;
    brownout_checkpoint();
    out += a;
}

static void second(void) {
    int b = 5;
    out += b;
}

static void (*const functions[])(void) = {first, second};

int main(void) {
    for (i = 0; i < 2; i++)
        functions[i]();
    return 0;
}
