//! strtoll, strtoull and saturation at the limits of each type.
#include <stdio.h>
#include <stdlib.h>
#include <limits.h>

int main(void) {
    static const char *const in[] = {"9223372036854775806", "9223372036854775807", "9223372036854775808", "99999999999999999999999", "-9223372036854775807", "-9223372036854775808", "-9223372036854775809", "-99999999999999999999", "18446744073709551614", "18446744073709551615", "18446744073709551616", "-1", "-18446744073709551615", "0"};
    for (unsigned i = 0; i < sizeof in / sizeof *in; i++) {
        char *e, *f;
        long long v = strtoll(in[i], &e, 10);
        unsigned long long u = strtoull(in[i], &f, 10);
        printf("%s: %lld %llu %d %d\n", in[i], v, u, *e, *f);
    }
    printf("%d %d %d\n", strtol("999999999999999999999", 0, 10) == LONG_MAX, strtol("-999999999999999999999", 0, 10) == LONG_MIN, strtoul("999999999999999999999", 0, 10) == ULONG_MAX);
    printf("%llx %llx\n", strtoull("ffffffffffffffff", 0, 16), strtoull("0x10000000000000000", 0, 16));
    printf("%lld %lld\n", strtoll("-0x8000000000000000", 0, 16), strtoll("777777777777777777777", 0, 8));
    printf("%lld\n", strtoll("111111111111111111111111111111111111111111111111111111111111111", 0, 2));
    char *e; const char *s = "99999999999999999999999zz"; strtoll(s, &e, 10); printf("%d\n", (int)(e - s));
    return 0;
}
