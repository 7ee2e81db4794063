//! for, while and do loops with odd steps, empty bodies, multiple variables and early exits.
#include <stdio.h>

static int collatz(unsigned n) { int k = 0; for (; n != 1; k++) n = n & 1 ? 3 * n + 1 : n / 2; return k; }
static unsigned digits(unsigned long v, unsigned base) { unsigned n = 0; do n++; while (v /= base); return n; }

int main(void) {
    for (int i = 0, j = 10; i < j; i += 2, j--) printf("%d,%d ", i, j);
    printf("\n");
    int n = 0; while (n < 100) n += n / 3 + 1;
    printf("%d\n", n);
    do { printf("once\n"); } while (0);
    for (int i = 10; i; i--) if (i % 4 == 0) printf("%d ", i);
    printf("\n");
    const char *s = "length by hand"; const char *e = s; while (*e++) {} printf("%d\n", (int)(e - s - 1));
    for (double x = 0; x < 1; x += 0.125) printf("%g ", x);
    printf("\n");
    for (unsigned char c = 250; c >= 250; c++) printf("%d ", c);
    printf("\n");
    for (long long p = 1; p > 0 && p < 1ll << 40; p *= 37) printf("%lld ", p);
    printf("\n");
    int total = 0; for (int i = 0; i < 100; i++) { if (i % 2) continue; if (i > 60) break; total += i; }
    printf("%d\n", total);
    int grid = 0;
    for (int i = 0; i < 9; i++) for (int j = i; j < 9; j += i + 1) for (int k = j; k > 0; k /= 2) grid += i ^ j ^ k;
    printf("%d\n", grid);
    for (unsigned i = 1; i < 30; i += 4) printf("%d ", collatz(i));
    printf("\n%u %u %u %u\n", digits(0, 10), digits(999, 10), digits(1000, 10), digits(0xffffffff, 2));
    int x = 0; for (;;) { if (++x == 5) continue; if (x > 8) break; }
    for (; x-- > 3;) ;
    printf("%d\n", x);
    return total % 100;
}
