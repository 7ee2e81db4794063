//! Roots, powers, exponentials and angles of complex numbers.
#include <complex.h>
#include <math.h>
#include <stdio.h>

static void show(const char *name, double complex z) { printf("%s %.9g %.9g\n", name, creal(z), cimag(z)); }

int main(void) {
    double parts[] = {0, 1, -1, 2.5, -0.75, 1e-9, 1e150, -1e150};
    int count = sizeof parts / sizeof *parts;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            double complex z = parts[i] + parts[j] * I;
            show("csqrt", csqrt(z));
            if (i == 0 && j == 0) continue;
            show("clog", clog(z));
            show("cproj", cproj(z));
            if (i > 5 || j > 5) continue;
            show("cexp", cexp(z));
            show("csin", csin(z));
            show("ccos", ccos(z));
            show("csinh", csinh(z));
            show("ccosh", ccosh(z));
            show("cpow", cpow(z, 1.5 - 0.5 * I));
            printf("%.5g %.5g\n", crealf(csqrtf((float complex)z)), cimagf(cexpf((float complex)z)));
        }
    return 0;
}
