//! Thread-local variables with initialisers in a single thread.
#include <stdio.h>
_Thread_local int t = 7;
static __thread char buf[8] = "tls";
static _Thread_local struct { int a; double d; } s = {3, 2.5};
static __thread int zero;
static __thread int *self = 0;
static int bump(void) { static _Thread_local int calls = 100; return ++calls; }
int main(void) {
    t += zero++;
    buf[0] = 'T';
    self = &t;
    *self *= 2;
    s.d *= s.a;
    printf("%d %s %g %d\n", t, buf, s.d, zero);
    bump();
    printf("%d\n", bump());
    printf("%d %d\n", (int)sizeof buf, self == &t);
    return t;
}
