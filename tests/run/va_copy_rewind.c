//! va_copy for two passes, passing va_list by value and by pointer to helpers.
#include <stdio.h>
#include <stdarg.h>

static int count_pos(int n, va_list ap) { int k = 0; while (n--) k += va_arg(ap, int) > 0; return k; }
static int take(va_list *ap) { return va_arg(*ap, int); }
static double spread(int n, ...) {
    va_list a, b; va_start(a, n); va_copy(b, a);
    double m = 0; for (int i = 0; i < n; i++) m += va_arg(a, double);
    m /= n; double v = 0; for (int i = 0; i < n; i++) { double d = va_arg(b, double) - m; v += d * d; }
    va_end(b); va_end(a); return v / n;
}
static void twice(int n, ...) {
    va_list a, b; va_start(a, n); int first = va_arg(a, int); va_copy(b, a);
    printf("%d: %d ", first, count_pos(n - 1, a)); va_end(a);
    for (int i = 1; i < n; i++) printf("%d ", va_arg(b, int));
    va_end(b); printf("\n");
}
static void by_pointer(int n, ...) {
    va_list a;
    va_start(a, n);
    int s = 0;
    while (n > 1) { int x = take(&a), y = take(&a); s += x * y; n -= 2; }
    printf("%d rest %d\n", s, n ? va_arg(a, int) : -1);
    va_end(a);
}
static void restart(int n, ...) {
    for (int r = 0; r < 3; r++) {
        va_list a;
        va_start(a, n);
        for (int i = 0; i < r; i++) (void)va_arg(a, int);
        printf("%d ", va_arg(a, int));
        va_end(a);
    }
    printf("\n");
}
static void many(const char *t, ...) {
    va_list a[3]; va_start(a[0], t); va_copy(a[1], a[0]); va_copy(a[2], a[1]);
    for (; *t; t++) { int i = *t - '0'; printf("%d ", va_arg(a[i], int)); }
    for (int i = 0; i < 3; i++) va_end(a[i]);
    printf("\n");
}

int main(void) {
    printf("%g %g\n", spread(4, 1.0, 2.0, 3.0, 4.0), spread(10, 1., 1., 1., 1., 1., 1., 1., 1., 1., 11.));
    twice(5, 9, -1, 2, -3, 4); twice(10, 1, 2, 3, 4, 5, -6, -7, -8, 9, 10);
    by_pointer(7, 1, 2, 3, 4, 5, 6, 7); by_pointer(2, 100, 200);
    restart(3, 10, 20, 30);
    many("000112", 1, 2, 3, 4); many("0120120122", 5, 6, 7, 8);
    return 0;
}
