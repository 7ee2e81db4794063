//! Functions returning function pointers, pointers to pointers to functions, and casts back and forth.
#include <stdio.h>

static int inc(int x) { return x + 1; }
static int dbl(int x) { return x * 2; }
static int neg(int x) { return -x; }
static int (*choose(char c))(int) { return c == '+' ? inc : c == '*' ? dbl : c == '-' ? neg : 0; }
typedef int (*fn)(int);
static fn compose_pick(fn a, fn b, int x) { return a(x) > b(x) ? a : b; }
static int apply_n(fn f, int n, int x) { while (n--) x = f(x); return x; }
static fn *slot(fn *table, int i) { return &table[i]; }
static void generic(void (*f)(void), int which, int arg) {
    if (which == 1) printf("%d\n", ((int (*)(int))f)(arg));
    else printf("%g\n", ((double (*)(double))f)(arg));
}
static double third(double d) { return d / 4; }
struct pair { fn f, g; };
static struct pair swap(struct pair p) { struct pair q = {p.g, p.f}; return q; }
static int (*(*level2(int n))(char))(int) { return n ? choose : 0; }

int main(void) {
    const char *prog = "+*-*++"; int x = 1;
    for (const char *p = prog; *p; p++) x = choose(*p)(x);
    printf("%d %d\n", x, choose('?') == 0);
    printf("%d\n", compose_pick(inc, dbl, 10)(3));
    printf("%d\n", apply_n(dbl, 10, 3));
    fn t[3] = {inc, dbl, neg}; *slot(t, 0) = neg; fn *pf = t + 1; printf("%d %d %d\n", t[0](5), (*pf)(5), pf[1](5));
    generic((void (*)(void))inc, 1, 41); generic((void (*)(void))third, 2, 9);
    struct pair p = swap((struct pair){inc, neg}); printf("%d %d\n", p.f(8), p.g(8));
    printf("%d\n", level2(1)('*')(21));
    return level2(1)('+')(level2(2)('*')(10));
}
