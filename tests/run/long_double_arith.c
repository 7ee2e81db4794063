//! long double arithmetic and conversions, shown through double.
#include <stdio.h>
#include <math.h>
static long double poly(long double x) { return ((x - 2) * x + 0.5L) * x - 1; }
static long double sum(int n) { long double s = 0; for (int i = 1; i <= n; i++) s += 1.0L / i; return s; }
struct ld { char c; long double v; int k; };
int main(void) {
    long double a = 1.5L, b = -0.25L;
    printf("%.10g %.10g %.10g %.10g\n", (double)(a + b), (double)(a - b), (double)(a * b), (double)(a / b));
    printf("%Lf %.3Lf %10.2Lf|%-10.1Lf|\n", a, b, a, b);
    printf("%.10g %.10g\n", (double)poly(3), (double)sum(100));
    printf("%d %d %d %d\n", a > b, a == 1.5L, -a < b, a != a);
    printf("%d %lld %u\n", (int)a, (long long)(b * 1e10L), (unsigned)(a * 1000));
    a = 123456789;
    printf("%.10g %.10g\n", (double)(a * a / 1e10L), (double)(float)a);
    long double big = 1e300L * 10.0L;
    printf("%.10g %d\n", (double)big, big > 1e300L);
    printf("%.10g %.10g %.10g\n", (double)sqrtl(2.0L), (double)fabsl(b), (double)floorl(-1.5L));
    struct ld s[2] = {{'a', 2.5L, 3}, {'b', -7, 4}};
    struct ld t = s[1];
    t.v += s[0].v;
    printf("%c %.3Lf %d\n", t.c, t.v, t.k);
    unsigned long long u = 18446744073709551615ull;
    long double lu = (long double)u;
    printf("%d %.10g\n", (unsigned long long)lu == u, (double)lu);
    a = 0;
    for (int i = 0; i < 10; i++) a += 0.125L;
    printf("%d\n", a == 1.25L);
    a++;
    --a;
    a /= 5;
    printf("%.10g\n", (double)a);
    printf("%Lg %Le\n", 0.5L, 1024.0L);
    return (int)poly(4);
}
