//! `__builtin_setjmp` and `__builtin_longjmp`, which the C library has no part in.
#include <stdio.h>

static void *outer[5], *inner[5];
static int depth;

static void fail(void **buffer) { __builtin_longjmp(buffer, 1); }

static void dig(int n) {
    depth++;
    if (n == 0) fail(inner);
    dig(n - 1);
}

static int attempt(int n) {
    if (__builtin_setjmp(inner)) return -depth;
    dig(n);
    return 1;
}

int main(void) {
    volatile int rounds = 0;
    if (__builtin_setjmp(outer)) rounds++;
    printf("round %d\n", rounds);
    if (rounds < 3) fail(outer);
    for (int n = 0; n < 4; n++) {
        depth = 0;
        printf("%d\n", attempt(n));
    }
    return rounds;
}
