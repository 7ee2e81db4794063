//! Variadic functions over ints, longs, long longs, chars and shorts after promotion.
#include <stdio.h>
#include <stdarg.h>

static long sum(int n, ...) {
    va_list ap;
    long s = 0;
    va_start(ap, n);
    while (n--) s += va_arg(ap, int);
    va_end(ap);
    return s;
}
static long long mixed(const char *t, ...) {
    va_list ap; va_start(ap, t); long long s = 0;
    for (; *t; t++) switch (*t) {
    case 'i': s = s * 3 + va_arg(ap, int); break;
    case 'u': s = s * 3 + va_arg(ap, unsigned); break;
    case 'l': s = s * 3 + va_arg(ap, long); break;
    case 'q': s = s * 3 + va_arg(ap, long long) % 1000003; break;
    case 'c': s = s * 3 + (char)va_arg(ap, int); break;
    }
    va_end(ap); return s;
}
static int until(int first, ...) {
    va_list ap;
    int n = 0, v = first;
    va_start(ap, first);
    while (v != -1) { n = n * 7 % 10007 + v; v = va_arg(ap, int); }
    va_end(ap);
    return n;
}
static int maxof(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int m = va_arg(ap, int);
    for (int i = 1; i < n; i++) { int v = va_arg(ap, int); if (v > m) m = v; }
    va_end(ap);
    return m;
}

int main(void) {
    printf("%ld %ld %ld\n", sum(0), sum(1, -5), sum(5, 1, 2, 3, 4, 5));
    printf("%ld\n", sum(20, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20));
    char c = -3; short h = -30000; unsigned char uc = 250; _Bool b = 1; enum { E = 9 } e = E;
    printf("%ld\n", sum(6, c, h, uc, b, e, 'A'));
    printf("%lld\n", mixed("iulqc", -1, 4000000000u, -5000000000l, 123456789012345ll, 'z'));
    printf("%lld\n", mixed("qiqiqiqiqi", 1ll << 60, 1, -(1ll << 60), 2, 5ll, 3, -7ll, 4, 0ll, 5));
    printf("%d %d\n", until(-1), until(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, -1));
    printf("%d %d\n", maxof(3, -5, -2, -9), maxof(7, 1, 2, 99, 3, 4, 5, 6));
    int (*f)(int, ...) = maxof; printf("%d\n", f(2, 10, 20));
    return (int)sum(3, 10, 20, 12);
}
