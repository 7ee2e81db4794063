//! Variable arguments of type `long double`, and memory of the calling function.
#include <alloca.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
static double sum(int n, ...) {
    va_list ap;
    va_start(ap, n);
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += va_arg(ap, int);
        sum += (double)va_arg(ap, long double);
    }
    va_end(ap);
    return sum;
}
static int filled(int n) {
    char *p = alloca(n);
    memset(p, n, n);
    int s = 0;
    for (int i = 0; i < n; i++) {
        s += p[i];
    }
    return s;
}
int main(void) {
    printf("%g\n", sum(2, 5, 1.5L, 6, 2.25L));
    printf("%d %.2Lf %d\n", 1, 1.5L, 2);
    int all = 0;
    for (int i = 1; i < 20; i++) {
        all += filled(i);
    }
    printf("%d\n", all);
    return 0;
}
