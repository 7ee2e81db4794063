//! Results of functions returning structures used directly in chains, members and conditions.
#include <stdio.h>

struct q { long n, d; };
static long gcd(long a, long b) { while (b) { long t = a % b; a = b; b = t; } return a < 0 ? -a : a; }
static struct q norm(long n, long d) { long g = gcd(n, d); if (d < 0) g = -g; return (struct q){n / g, d / g}; }
static struct q add(struct q a, struct q b) { return norm(a.n * b.d + b.n * a.d, a.d * b.d); }
static struct q mul(struct q a, struct q b) { return norm(a.n * b.n, a.d * b.d); }
static struct q inv(struct q a) { return norm(a.d, a.n); }
static struct q from(long n) { return (struct q){n, 1}; }
static int cmp(struct q a, struct q b) { long l = a.n * b.d, r = b.n * a.d; return (l > r) - (l < r); }
static struct q pick(int c, struct q a, struct q b) { return c ? a : b; }
struct it { int cur, end; };
static struct it range(int a, int b) { return (struct it){a, b}; }
static struct it next(struct it i) { i.cur++; return i; }

int main(void) {
    struct q h = from(0);
    for (long i = 1; i <= 12; i++) h = add(h, inv(from(i)));
    printf("%ld/%ld\n", h.n, h.d);
    printf("%ld %ld\n", add(mul(norm(2, 3), norm(3, -4)), inv(norm(5, 10))).n, mul(h, inv(h)).d);
    printf("%d %d %d\n", cmp(norm(1, 3), norm(2, 6)), cmp(norm(1, 2), norm(1, 3)), cmp(from(-1), from(0)));
    if (cmp(add(norm(1, 6), norm(1, 3)), norm(1, 2)) == 0) printf("equal\n");
    struct q cf = from(1); for (int i = 0; i < 10; i++) cf = add(from(1), inv(cf));
    printf("%ld/%ld\n", cf.n, cf.d);
    printf("%ld %ld\n", pick(1, from(3), from(4)).n, pick(0, from(3), from(4)).n);
    int sum = 0; for (struct it i = range(3, 9); i.cur < i.end; i = next(i)) sum += i.cur;
    printf("%d %d\n", sum, next(next(range(5, 6))).cur);
    return (int)cf.n % 100;
}
