//! Mutually recursive functions, including through pointers and a recursive descent parser.
#include <stdio.h>

static int odd(unsigned n);
static int even(unsigned n) { return n ? odd(n - 1) : 1; }
static int odd(unsigned n) { return n ? even(n - 1) : 0; }

static int male(int n);
static int female(int n) { return n ? n - male(female(n - 1)) : 1; }
static int male(int n) { return n ? n - female(male(n - 1)) : 0; }

static const char *p;
static long expr(void);
static long atom(void) {
    while (*p == ' ') p++;
    if (*p == '(') { p++; long v = expr(); while (*p == ' ') p++; p++; return v; }
    if (*p == '-') { p++; return -atom(); }
    long v = 0; while (*p >= '0' && *p <= '9') v = v * 10 + *p++ - '0';
    return v;
}
static long term(void) {
    long v = atom();
    for (;;) {
        while (*p == ' ') p++;
        if (*p == '*') { p++; v *= atom(); } else if (*p == '/') { p++; v /= atom(); } else return v;
    }
}
static long expr(void) {
    long v = term();
    for (;;) {
        while (*p == ' ') p++;
        if (*p == '+') { p++; v += term(); } else if (*p == '-') { p++; v -= term(); } else return v;
    }
}
static long eval(const char *s) { p = s; return expr(); }
typedef int (*step)(int, const void *);
static int down(int n, const void *tab) { return n <= 0 ? 0 : 1 + ((step const *)tab)[n % 2](n - 1, tab); }
static int skip(int n, const void *tab) { return n <= 0 ? 100 : ((step const *)tab)[n % 2](n - 2, tab) + 7; }

int main(void) {
    printf("%d %d %d\n", even(500), odd(501), even(333));
    for (int i = 0; i < 15; i++) printf("%d/%d ", female(i), male(i));
    printf("\n");
    printf("%ld %ld %ld\n", eval("1 + 2*3"), eval("(1+2) * (3 - -4) / 2"), eval("((((7)))) - 2*(3+(4-5)*6)"));
    const step tab[2] = {down, skip};
    printf("%d %d\n", down(20, tab), skip(21, tab));
    return (int)eval("6*7");
}
