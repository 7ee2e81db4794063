//! Vector comparisons giving masks, selection, __builtin_shufflevector and conversions.
#include <stdio.h>
#include <stdint.h>
typedef int32_t v4i __attribute__((vector_size(16)));
typedef float v4f __attribute__((vector_size(16)));
typedef double v4d __attribute__((vector_size(32)));
typedef int16_t v4s __attribute__((vector_size(8)));
typedef uint8_t v8b __attribute__((vector_size(8)));
typedef uint16_t v8h __attribute__((vector_size(16)));
typedef int64_t v4q __attribute__((vector_size(32)));
static void p4(v4i v) { printf("%d %d %d %d\n", v[0], v[1], v[2], v[3]); }
static v4i vmax(v4i a, v4i b) { v4i m = a > b; return (a & m) | (b & ~m); }
static v4i vabs(v4i a) { v4i m = a < 0; return (a ^ m) - m; }
int main(void) {
    v4i a = {1, -5, 7, 0}, b = {1, 5, -7, 3};
    p4(a == b);
    p4(a != b);
    p4(a < b);
    p4(a >= b);
    p4(vmax(a, b));
    p4(vabs(a));
    v4f f = {1.5f, -2.5f, 3.99f, 0}, g = {1.5f, 0, 4, -1};
    p4(f < g);
    p4(f == g);
    p4(__builtin_shufflevector(a, a, 3, 2, 1, 0));
    p4(__builtin_shufflevector(a, b, 0, 4, 1, 5));
    p4(__builtin_convertvector(f, v4i));
    v4d d = __builtin_convertvector(a, v4d) / 2;
    printf("%g %g %g %g\n", d[0], d[1], d[2], d[3]);
    v4s s = __builtin_convertvector(a * 20000, v4s);
    printf("%d %d %d %d\n", s[0], s[1], s[2], s[3]);
    v4q q = __builtin_convertvector(b, v4q) << 33;
    printf("%lld %lld\n", (long long)q[1], (long long)q[2]);
    v8b x = {0, 50, 100, 150, 200, 250, 255, 1};
    v8h w = __builtin_convertvector(x, v8h) * 3;
    for (int i = 0; i < 8; i++) printf("%d ", w[i]);
    printf("\n");
    v8b y = __builtin_shufflevector(x, x, 7, 7, 0, 1, 2, 3, 6, 5);
    for (int i = 0; i < 8; i++) printf("%d ", y[i]);
    printf("\n");
    v4i bits = (v4i)f;
    printf("%08x %08x\n", (unsigned)bits[0], (unsigned)bits[1]);
    p4((v4i)((v4f)(bits & 0x7fffffff) == (v4f){1.5f, 2.5f, 0, 0}));
    printf("%d %d %d\n", __builtin_reduce_add(a), __builtin_reduce_max(b), __builtin_reduce_or(a));
    p4(__builtin_elementwise_max(a, b));
    p4(__builtin_elementwise_abs(b));
    v4i z = (a != 0) & b;
    p4(z);
    return 0;
}
