//! Signed bit-fields: sign extension, promotions and arithmetic in expressions.
#include <stdio.h>

struct s { signed a : 1, b : 2, c : 3, d : 7, e : 16; signed int f : 31; signed long long g : 50; };

int main(void) {
    struct s v = {0};
    for (int i = -4; i < 4; i++) {
        v.a = i & 1 ? -1 : 0; v.b = i / 2; v.c = i;
        printf("%d %d %d | ", v.a, v.b, v.c);
    }
    printf("\n");
    v.d = 63;
    printf("%d ", v.d);
    v.d = -64;
    printf("%d ", v.d);
    v.d++;
    printf("%d ", v.d);
    v.d = -v.d;
    printf("%d\n", v.d);
    v.e = -32768; printf("%d ", v.e); v.e = (short)0xffff; printf("%d ", v.e); v.e ^= 0x7f00; printf("%d\n", v.e);
    v.f = -1073741824; printf("%d ", v.f); v.f /= 3; printf("%d ", v.f); v.f >>= 4; printf("%d\n", v.f);
    v.g = -(1ll << 49);
    printf("%lld ", (long long)v.g);
    v.g += 12345;
    printf("%lld ", (long long)v.g);
    v.g /= -1000;
    printf("%lld\n", (long long)v.g);
    printf("%d %d %d\n", v.c < 0, v.c - 1, v.d > v.c);
    struct s w = v; w.c = 2;
    printf("%d %d %d %d\n", w.b, w.c, w.d, v.c);
    struct { int sgn : 8; unsigned uns : 8; } m = {-1, 255};
    printf("%d %d %d\n", m.sgn < m.uns, m.sgn + (int)m.uns, m.sgn == -1);
    unsigned char narrow = (unsigned char)m.sgn; printf("%d\n", narrow);
    return w.d;
}
