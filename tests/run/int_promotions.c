//! Integer promotions and the usual arithmetic conversions.
#include <stdio.h>
#include <stdint.h>

#define NAME(e) _Generic((e), char: "char", signed char: "schar", unsigned char: "uchar", short: "short", \
    unsigned short: "ushort", int: "int", unsigned: "uint", long: "long", unsigned long: "ulong", \
    long long: "llong", unsigned long long: "ullong", float: "float", double: "double", long double: "ldouble", _Bool: "bool")

int main(void) {
    unsigned char uc = 255; signed char sc = -1; unsigned short us = 65535; short ss = -1;
    unsigned u = 1; int i = -1; long l = -1; unsigned long ul = 1; float f = 1; _Bool b = 1; char c = 'x';
    printf("%s %s %s %s\n", NAME(uc + uc), NAME(sc + us), NAME(ss + u), NAME(b + b));
    printf("%s %s %s %s\n", NAME(i + u), NAME(u + l), NAME(l + ul), NAME(ul + 1ll));
    printf("%s %s %s %s %s\n", NAME(f + i), NAME(f + 1.0), NAME(1.0L + f), NAME(c), NAME(+c));
    printf("%s %s %s %s\n", NAME(uc << 1l), NAME(~uc), NAME(!f), NAME(1 ? i : ul));
    printf("%d %d\n", uc + 1, (unsigned char)(uc + 1));
    printf("%d %d %d\n", uc + sc, us + ss, ~uc);
    printf("%d %d\n", -1 < (int)u, (unsigned)i > u);
    printf("%d %d\n", i < (long)u, (unsigned long)l > ul);
    printf("%d %d\n", sc == (signed char)255, uc == (unsigned char)sc);
    printf("%d\n", (us << 1) >> 1);
    printf("%u\n", (unsigned)us * us);
    printf("%lld %lld\n", (long long)i, (long long)(unsigned)i);
    printf("%d %d\n", (short)us, (signed char)uc);
    uint8_t a = 10, d = 20;
    printf("%d %u %d\n", a - d, (uint8_t)(a - d), (a - d) / 3);
    printf("%d\n", -a);
    printf("%d %d\n", (int)sizeof(uc + uc), (int)sizeof(char));
    printf("%s %s\n", NAME((char)1 * (short)1), NAME((short)1 % 1u));
    return 0;
}
