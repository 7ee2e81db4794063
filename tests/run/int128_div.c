//! __int128 division and remainder, signed and unsigned, printed in decimal.
#include <stdio.h>
#include <stdint.h>

typedef __int128 i128;
typedef unsigned __int128 u128;

static char *dec(u128 v, char *end) {
    *--end = 0;
    do { *--end = (char)('0' + (int)(v % 10)); v /= 10; } while (v);
    return end;
}
static void put(i128 v) {
    char b[48]; u128 m = v < 0 ? -(u128)v : (u128)v;
    printf("%s%s ", v < 0 ? "-" : "", dec(m, b + sizeof b));
}
static void putu(u128 v) { char b[48]; printf("%s ", dec(v, b + sizeof b)); }
static u128 isqrt(u128 n) {
    u128 r = 0;
    for (int i = 63; i >= 0; i--) { u128 t = r | (u128)1 << i; if (t * t <= n) r = t; }
    return r;
}
static u128 gcd(u128 a, u128 b) { while (b) { u128 t = a % b; a = b; b = t; } return a; }

int main(void) {
    u128 max = ~(u128)0; i128 imax = (i128)(max >> 1);
    putu(max); put(imax); put(-imax - 1); printf("\n");
    static const int64_t ds[] = {1, 2, 3, -7, 10, 1000000007, -4294967296ll, INT64_MAX, INT64_MIN};
    for (unsigned i = 0; i < sizeof ds / sizeof *ds; i++) {
        put(imax / ds[i]); put(imax % ds[i]);
        i128 n = -imax + 12345; put(n / ds[i]); put(n % ds[i]); printf("\n");
    }
    u128 big = (u128)0x123456789abcdefull << 64 | 0xfedcba9876543210ull;
    for (int s = 0; s < 120; s += 17) { u128 d = (max >> s) / 3 + 1; putu(big / d); putu(big % d); }
    printf("\n");
    putu(isqrt(max));
    putu(gcd(big, (u128)1 << 90));
    putu(gcd((u128)1000000007 * 998244353 * 12, (u128)998244353 * 18));
    printf("\n");
    u128 r = 1, base = 3, m = ((u128)1 << 61) - 1;
    for (unsigned e = 1000003; e; e >>= 1) { if (e & 1) r = r * base % m; base = base * base % m; }
    putu(r); printf("\n");
    return (int)(big % 251);
}
