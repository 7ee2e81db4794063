//! atoi, strtol, strtoul and strtod inside 32-bit range.
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    static const char *const t[] = {"0", "42", "-17", "  99", "0x1F", "077", "12abc", "abc", "", "+5", "-2147483647", "2147483647"};
    static const int b[] = {10, 0, 16, 8};
    for (int i = 0; i < 12; i++) for (int j = 0; j < 4; j++) {
        if (i >= 10 && j == 2) continue;
        char *e;
        long v = strtol(t[i], &e, b[j]);
        printf("%ld+%d ", v, (int)(e - t[i]));
        if (j == 3) printf("\n");
    }
    printf("%d %d %ld\n", atoi("123"), atoi("-32767"), atol("100000"));
    printf("%lu %lu\n", strtoul("4294967295", 0, 10), strtoul("ffff", 0, 16));
    printf("%ld %ld\n", strtol("zz", 0, 36), strtol("-101", 0, 2));
    char *e;
    const char *f[] = {"1.5", "-2.5e3x", ".125", "1e-2", "q"};
    for (int i = 0; i < 5; i++) { double d = strtod(f[i], &e); printf("%g+%d ", d, (int)(e - f[i])); }
    printf("\n%d %ld %lld\n", abs(-7), labs(-70000L), llabs(-7000000000LL));
    div_t q = div(-17, 5);
    ldiv_t l = ldiv(1000000L, 7);
    printf("%d %d %ld %ld\n", q.quot, q.rem, l.quot, l.rem);
    return 0;
}
