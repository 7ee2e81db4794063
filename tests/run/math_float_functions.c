//! The float versions of the mathematical functions to five digits.
#include <stdio.h>
#include <math.h>
int main(void) {
    static volatile float v[] = {0.25f, 0.5f, 1, 2, 3.5f, 9};
    for (int i = 0; i < 6; i++) {
        float x = v[i];
        printf("%.5g %.5g %.5g %.5g %.5g %.5g %.5g %.5g %.5g %.5g\n", (double)sqrtf(x), (double)powf(x, 1.5f), (double)expf(x), (double)logf(x), (double)log2f(x), (double)log10f(x), (double)sinf(x), (double)cosf(x), (double)tanf(x), (double)atanf(x));
        printf("%.5g %.5g %.5g %.5g %.5g %.5g %.5g\n", (double)fmodf(10, x), (double)hypotf(x, 2), (double)atan2f(x, -1), (double)fabsf(-x), (double)fminf(x, 1), (double)fmaxf(x, 1), (double)fmaf(x, x, 1));
    }
    printf("%.5g %.5g %.5g %ld\n", (double)ldexpf(1.5f, 4), (double)cbrtf(27), (double)exp2f(3.5f), lroundf(2.5f));
    printf("%.9g %.9g\n", (double)sqrtf(2), (double)sqrtf(1e-40f));
    return 0;
}
