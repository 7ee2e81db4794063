//! The angles and areas of complex numbers, and their inverse functions.
#include <complex.h>
#include <stdio.h>

static void show(const char *name, double _Complex z) { printf("%s %.6f %.6f\n", name, creal(z), cimag(z)); }

int main(void) {
    static const double parts[] = {0.25, -0.75, 1.5, -3.0};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            double _Complex z = parts[i] + parts[j] * I;
            show("ctan", ctan(z));
            show("ctanh", ctanh(z));
            show("casin", casin(z));
            show("cacos", cacos(z));
            show("catan", catan(z));
            show("casinh", casinh(z));
            show("cacosh", cacosh(z));
            show("catanh", catanh(z));
        }
    printf("%.4f %.4f\n", (double)crealf(casinf(0.5f + 0.25f * I)), (double)cimagf(catanhf(0.5f - 2.0f * I)));
    printf("%.6f %.6f\n", (double)creall(csqrtl(3.0L + 4.0L * I)), (double)cabsl(3.0L - 4.0L * I));
    printf("%.6f %.6f\n", (double)cimagl(conjl(1.0L + 2.0L * I)), (double)cargl(1.0L + 1.0L * I));
    return 0;
}
