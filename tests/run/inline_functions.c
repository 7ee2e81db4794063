//! static inline, always_inline, noinline, extern inline, pure/const and nested macros.
#include <stdio.h>
static inline int sq(int x) { return x * x; }
static inline __attribute__((always_inline)) int cube(int x) { return x * sq(x); }
__attribute__((noinline)) static int opaque(int x) { return x ^ 0x5a; }
inline int both(int x);
extern inline int both(int x) { return x + 1000; }
__attribute__((const)) static int c(int x) { return x * 3; }
__attribute__((pure)) static int len(const char *s) { int n = 0; while (s[n]) n++; return n; }
static inline void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
static __attribute__((flatten)) int flat(int x) { return cube(x) + sq(x) + opaque(x); }
__attribute__((cold, noinline)) static void report(const char *s) { printf("cold %s\n", s); }
__attribute__((noreturn)) void quit(int);
static inline unsigned gcd(unsigned a, unsigned b) { return b ? gcd(b, a % b) : a; }
__attribute__((unused)) static int never(void) { return 1; }
#include <stdlib.h>
void quit(int s) { printf("quit %d\n", s); exit(s); }
int main(void) {
    printf("%d %d %d %d\n", sq(7), cube(-3), opaque(1), both(1));
    int x = 1, y = 2;
    swap(&x, &y);
    printf("%d %d %d\n", x, y, flat(4));
    printf("%d %d %u\n", c(c(2)), len("pure"), gcd(252, 105));
    int (*f)(int) = sq;
    printf("%d %d\n", f(12), f == sq);
    if (x > y) report("path");
    quit(sq(5));
}
