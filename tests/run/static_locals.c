//! Static locals keep values between calls, are separate per function and initialised once.
#include <stdio.h>

static int counter(void) { static int n = 5; return n++; }
static int other(void) { static int n; n += 10; return n; }
static int *cell(int i) { static int pool[4] = {1, 2, 3, 4}; return &pool[i]; }
static unsigned rnd(void) { static unsigned s = 2463534242u; s ^= s << 13; s ^= s >> 17; s ^= s << 5; return s; }
static const char *tag(int n) {
    static char buf[16];
    static int used;
    snprintf(buf, sizeof buf, "#%d.%d", n, used++);
    return buf;
}
static int nested(int k) {
    int r = 0;
    for (int i = 0; i < k; i++) { static int in_loop; r = ++in_loop; }
    { static int in_block = -1; r += in_block--; }
    return r;
}
static int fact(int n) { static int calls; calls++; return n < 2 ? calls : fact(n - 1); }
static double smooth(double x) {
    static double y;
    static int init;
    if (!init) { init = 1; y = x; }
    return y += (x - y) * 0.25;
}
static int (*latest(int (*f)(void)))(void) { static int (*prev)(void); int (*p)(void) = prev; prev = f; return p; }

int main(void) {
    int a = counter(), b = counter(), c = counter(); printf("%d %d %d\n", a, b, c);
    for (int i = 0; i < 3; i++) printf("%d ", other());
    printf("%d\n", counter());
    *cell(1) = 20; ++*cell(3); printf("%d %d %d %d\n", *cell(0), *cell(1), *cell(2), *cell(3));
    printf("%u ", rnd()); printf("%u ", rnd()); printf("%u\n", rnd());
    printf("%s ", tag(7)); printf("%s\n", tag(8));
    printf("%d ", nested(3)); printf("%d ", nested(2)); printf("%d\n", nested(0));
    printf("%d ", fact(5)); printf("%d\n", fact(3));
    for (int i = 0; i < 5; i++) printf("%g ", smooth(i * 4));
    printf("\n%d ", latest(counter) == 0); printf("%d\n", latest(other)());
    return other();
}
