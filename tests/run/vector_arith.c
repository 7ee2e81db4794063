//! vector_size types: arithmetic, shifts, scalars, unary operators and element access.
#include <stdio.h>
#include <stdint.h>
typedef int32_t v4i __attribute__((vector_size(16)));
typedef uint8_t v16u __attribute__((vector_size(16)));
typedef float v4f __attribute__((vector_size(16)));
typedef double v2d __attribute__((vector_size(16)));
typedef int16_t v8s __attribute__((vector_size(16)));
typedef int64_t v2q __attribute__((vector_size(16)));
typedef uint32_t v2u __attribute__((vector_size(8)));
static void p4(v4i v) { printf("%d %d %d %d\n", v[0], v[1], v[2], v[3]); }
static void pf(v4f v) { printf("%g %g %g %g\n", (double)v[0], (double)v[1], (double)v[2], (double)v[3]); }
static v4i madd(v4i a, v4i b, v4i c) { return a * b + c; }
static v4f lerp(v4f a, v4f b, float t) { return a + (b - a) * t; }
int main(void) {
    v4i a = {1, -2, 3, -4}, b = {10, 20, 30, 7};
    p4(a + b);
    p4(a - b);
    p4(a * b);
    p4(b / a);
    p4(b % a);
    p4(a & b);
    p4(a | b);
    p4(a ^ b);
    p4(~a);
    p4(-a);
    p4(a << 2);
    p4(b >> a % 2 * a % 2);
    p4(a + 5);
    p4(madd(a, b, a));
    a[2] = 99;
    a += b;
    p4(a);
    pf(lerp((v4f){0, 1, 2, 3}, (v4f){10, 10, -10, 0.5f}, 0.25f));
    v2d d = {1.5, -2};
    d = d * d / 3.0;
    printf("%.10g %.10g\n", d[0], d[1]);
    v16u u;
    for (int i = 0; i < 16; i++) u[i] = (uint8_t)(i * 40);
    u += u;
    u ^= 0x0f;
    u = u >> 1;
    for (int i = 0; i < 16; i++) printf("%d ", u[i]);
    printf("\n");
    v8s s = {32767, -32768, 1, 2, 3, 4, 5, 6};
    v8s t = s * 1;
    t[0] = (int16_t)(t[0] - 1);
    for (int i = 0; i < 8; i++) printf("%d ", t[i] - s[i]);
    printf("\n");
    v2q q = {1ll << 40, -5};
    q *= 3;
    printf("%lld %lld\n", (long long)q[0], (long long)q[1]);
    v2u w = {0xffffffffu, 2};
    w += 1;
    printf("%u %u\n", w[0], w[1]);
    v4i arr[3] = {{1, 1, 1, 1}, {2, 3, 4, 5}};
    arr[2] = arr[0] + arr[1];
    p4(arr[2]);
    int sum = 0;
    for (int i = 0; i < 4; i++) sum += arr[2][i];
    printf("%d %d\n", sum, (int)sizeof(v4i));
    return sum;
}
