//! Compound assignment operators, pre/post increment on all types, and their values.
#include <stdio.h>
#include <stdint.h>

int main(void) {
    int x = 10;
    x += 5; printf("%d ", x); x -= 20; printf("%d ", x); x *= -7; printf("%d ", x); x /= 4; printf("%d ", x);
    x %= 5; printf("%d ", x); x <<= 6; printf("%d ", x); x |= 9; printf("%d ", x); x &= 0x1c9; printf("%d ", x);
    x ^= 0xff; printf("%d ", x); x >>= 2; printf("%d\n", x);
    int y = (x = 3) + 4; printf("%d %d\n", x, y);
    int a, b, c; a = b = c = 9; printf("%d %d %d\n", a, b, c);
    a += b -= c *= 2; printf("%d %d %d\n", a, b, c);
    int8_t s8 = 127; s8++; printf("%d ", s8); s8 = -128; s8--; printf("%d\n", s8);
    uint8_t u8 = 255; printf("%d ", ++u8); printf("%d ", u8--); printf("%d\n", u8);
    uint16_t u16 = 65535; printf("%d ", u16++); printf("%d\n", u16);
    long long ll = -1; printf("%lld ", ++ll); printf("%lld\n", ll--);
    float f = 0.5f; printf("%g ", (double)f++); printf("%g ", (double)++f); f *= 3; f /= 2; printf("%g\n", (double)f);
    double d = 1e10; d -= 1; printf("%.1f ", d--); printf("%.1f\n", d);
    char buf[] = "increment"; char *p = buf;
    (*p)++; ++*p; *p++ += 1; *p++ = 'N'; printf("%s %s\n", buf, p);
    int arr[5] = {1, 2, 3, 4, 5}, i = 0;
    arr[i++] += 10; arr[i++] *= 10; arr[++i] -= 100;
    for (int k = 0; k < 5; k++) printf("%d ", arr[k]);
    printf("i=%d\n", i);
    int *q = arr; int v = *q++; v += *++q; printf("%d %d\n", v, (int)(q - arr));
    uint8_t m = 0xf0; m |= 0x0f << 2; printf("%u ", m); m = ~m; printf("%u\n", m);
    short sh = 100; sh *= 400; printf("%d\n", sh);
    return x;
}
