//! Variadic functions over doubles, floats promoted to double, and more of them than registers.
#include <stdio.h>
#include <stdarg.h>

static double avg(int n, ...) {
    va_list ap;
    double s = 0;
    va_start(ap, n);
    for (int i = 0; i < n; i++) s += va_arg(ap, double);
    va_end(ap);
    return n ? s / n : 0;
}
static double poly(double x, int deg, ...) {
    va_list ap;
    va_start(ap, deg);
    double r = 0;
    while (deg-- >= 0) r = r * x + va_arg(ap, double);
    va_end(ap);
    return r;
}
static void mix(const char *f, ...) {
    va_list ap; va_start(ap, f);
    while (*f) switch (*f++) {
        case 'd': printf("%g ", va_arg(ap, double)); break;
        case 'i': printf("%d ", va_arg(ap, int)); break;
        case 'L': printf("%g ", (double)va_arg(ap, long double)); break;
        case 's': printf("%s ", va_arg(ap, const char *)); break;
    }
    va_end(ap); printf("\n");
}

int main(void) {
    float f = 0.25f;
    printf("%g %g\n", avg(0), avg(3, 1.0, 2.5, 4.0));
    printf("%g\n", avg(12, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12.));
    printf("%g\n", avg(4, f, f * 2, (float)1e10, -0.5f));
    printf("%g %g\n", poly(2, 3, 1.0, 0.0, -1.0, 5.0), poly(0.5, 0, 3.0));
    mix("idididid", 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5);
    mix("dddddddddddd", 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2);
    mix("iiiiiiiidddddddddid", 1, 2, 3, 4, 5, 6, 7, 8, .1, .2, .3, .4, .5, .6, .7, .8, .9, 9, 1.25);
    mix("LdLiL", 1.5L, 2.5, -3.25L, 4, 1e20L);
    mix("sdsis", "a", -0.0, "bb", -1, "ccc");
    return 0;
}
