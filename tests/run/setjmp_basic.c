//! setjmp and longjmp: return values, zero mapped to one, repeated jumps.
#include <stdio.h>
#include <setjmp.h>

static jmp_buf env;
static void thrower(int v) { longjmp(env, v); }
static int attempt(int v) {
    int r = setjmp(env);
    if (r == 0) { printf("first "); thrower(v); }
    printf("caught %d\n", r);
    return r;
}
static int counted(void) {
    volatile int n = 0;
    setjmp(env);
    if (++n < 5) longjmp(env, 1);
    return n;
}

int main(void) {
    attempt(7); attempt(-1); attempt(0); attempt(1 << 30);
    printf("%d\n", counted());
    switch (setjmp(env)) {
    case 0: printf("zero\n"); longjmp(env, 2);
    case 1: printf("one\n"); break;
    case 2: printf("two\n"); longjmp(env, 3);
    case 3: printf("three\n"); longjmp(env, 1);
    }
    if (setjmp(env) != 0) { printf("via if\n"); } else { longjmp(env, 9); }
    if (!setjmp(env)) thrower(4); else printf("negated\n");
    return attempt(12);
}
