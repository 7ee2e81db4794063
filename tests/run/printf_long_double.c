//! long double is printed exactly: all bits, the largest, the smallest, every form.
#include <float.h>
#include <math.h>
#include <stdio.h>

int main(void) {
    volatile long double third = 1.0L / 3, ten = 10, one = 1;
    long double values[] = {
        third, -third, 1 / ten, one + LDBL_EPSILON, 18446744073709551615.0L, 0.0L, -0.0L, 1, 1e19L,
        123456789.0L / 7, 2.5L, 0.5L, 9.999999999999999999L, 1e4000L / 3, 1e-4000L / 3,
        LDBL_MAX, LDBL_MIN, LDBL_MIN / 3, LDBL_TRUE_MIN, one / 0, -one / 0,
    };
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        long double v = values[i];
        printf("%Lg %.21Lg %.40Lg %#Lg\n", v, v, v, v);
        printf("%Le %.0Le %.30LE %+.5Le\n", v, v, v, v);
        printf("%La %.0La %.4LA %.20La\n", v, v, v, v);
        if (!(v > 1e25L || v < -1e25L))
            printf("%Lf %.0Lf %.25Lf|%30.5Lf|%-20.3Lf|%020.4Lf\n", v, v, v, v, v, v);
    }
    printf("%.3Lf\n", LDBL_MAX);
    printf("%.16500Lf\n", LDBL_TRUE_MIN);
    printf("%.11600Lg\n", LDBL_TRUE_MIN);
    printf("%Lf %LF %010Lf|\n", one / 0, one / 0, -one / 0);
    printf("%2$.20Lf %1$.20Lf\n", third, one + third);
    printf("%.20f %.3La %.1La\n", 0.1, 0xf.fffp0L, 0xf.fp0L);
    return 0;
}
