//! Deep recursion with frames holding live state, tail and non-tail.
#include <stdio.h>

static unsigned sum(unsigned n) { return n ? n + sum(n - 1) : 0; }
static unsigned mix(unsigned n, unsigned a) {
    unsigned local[4] = {n, a, n ^ a, n + a};
    if (n == 0) return a;
    unsigned r = mix(n - 1, a * 3 + local[2]);
    return r ^ local[0] ^ (local[1] >> 3) ^ local[3];
}
static int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
static unsigned long gcd(unsigned long a, unsigned long b) { return b ? gcd(b, a % b) : a; }
static void hanoi(int n, int a, int b, int c, unsigned *moves, unsigned *h) {
    if (!n) return;
    hanoi(n - 1, a, c, b, moves, h); ++*moves; *h = *h * 31 + (unsigned)(a * 4 + b); hanoi(n - 1, c, b, a, moves, h);
}
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static void rev(const char *s) { if (*s) { rev(s + 1); putchar(*s); } }

int main(void) {
    printf("%u\n", sum(1000));
    printf("%u\n", mix(800, 12345));
    printf("%d %d\n", ack(2, 9), ack(1, 20));
    printf("%lu\n", gcd(1134903170ul, 701408733ul));
    unsigned mv = 0, h = 0; hanoi(10, 0, 1, 2, &mv, &h); printf("%u %u\n", mv, h);
    printf("%d\n", fib(17));
    rev("recursion prints this backwards"); putchar('\n');
    return fib(11);
}
