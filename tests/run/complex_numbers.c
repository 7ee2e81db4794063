//! _Complex float and double arithmetic, parts, comparison and conversions.
#include <stdio.h>
#include <complex.h>

static void show(const char *n, double complex z) { printf("%s %.10g %.10g\n", n, creal(z), cimag(z)); }
static double complex ipow(double complex z, int n) { double complex r = 1; while (n--) r *= z; return r; }
static int mandel(double complex c) {
    double complex z = 0;
    int n = 0;
    while (n < 30 && creal(z) * creal(z) + cimag(z) * cimag(z) <= 4) { z = z * z + c; n++; }
    return n;
}

int main(void) {
    double complex a = 3 + 4 * I, b = 1 - 2 * I;
    show("a+b", a + b);
    show("a-b", a - b);
    show("a*b", a * b);
    show("a/b", a / b);
    show("-a", -a);
    show("~a", conj(a));
    show("a*2", a * 2);
    show("a/2", a / 2);
    show("1/a", 1 / a);
    printf("%d %d %.10g\n", a == b, a == 3 + 4 * I, cabs(a));
    show("pow", ipow(0.5 + 0.5 * I, 8));
    float complex f = 1.5f + 0.25f * I;
    f *= f;
    show("f", f);
    __real__ a = 9;
    __imag__ a *= 2;
    show("parts", a);
    printf("%g %g\n", __real__ b, __imag__ b);
    double complex v[3] = {1, I, 2 + I};
    double complex s = 0;
    for (int i = 0; i < 3; i++) s += v[i] * v[2 - i];
    show("dot", s);
    for (double y = -1; y <= 1; y += 0.5) {
        for (double x = -2; x <= 0.5; x += 0.25) printf("%d ", mandel(x + y * I));
        printf("\n");
    }
    double d = (double)b;
    show("cast", d);
    printf("%d\n", (int)sizeof(double complex));
    return !!a;
}
