//! Division truncates toward zero and the remainder takes the dividend's sign at every width.
#include <stdio.h>
#include <stdint.h>

#define CHECK(T, a, b) do { volatile T x = (a), y = (b); T q = x / y, r = x % y; \
    printf(#T " %lld/%lld q=%lld r=%lld ok=%d\n", (long long)x, (long long)y, (long long)q, (long long)r, (T)(q * y + r) == x); } while (0)

static int floordiv(int a, int b) { int q = a / b; return q - (a % b != 0 && (a < 0) != (b < 0)); }
static int ceildiv(int a, int b) { int q = a / b; return q + (a % b != 0 && (a < 0) == (b < 0)); }
static int euclid_mod(int a, int b) { int r = a % b; return r < 0 ? r + (b < 0 ? -b : b) : r; }

int main(void) {
    CHECK(int, 7, 2); CHECK(int, -7, 2); CHECK(int, 7, -2); CHECK(int, -7, -2);
    CHECK(signed char, -128, 3); CHECK(signed char, 127, -128); CHECK(short, -32768, 7);
    CHECK(short, -32768, 32767); CHECK(long, -9, 4); CHECK(long long, INT64_MIN, 10);
    CHECK(long long, INT64_MAX, -10); CHECK(int, INT32_MIN, 2); CHECK(int, INT32_MIN, 3);
    CHECK(int, INT32_MIN, INT32_MIN); CHECK(int, 5, INT32_MIN); CHECK(int, -5, INT32_MAX);
    CHECK(unsigned, 0xffffffffu, 10); CHECK(unsigned char, 255, 16); CHECK(unsigned short, 65535, 1000);
    for (int a = -9; a <= 9; a += 3)
        for (int b = -4; b <= 4; b++)
            if (b) printf("%d %d: %d %d %d %d %d\n", a, b, a / b, a % b, floordiv(a, b), ceildiv(a, b), euclid_mod(a, b));
    unsigned acc = 0;
    for (unsigned d = 1; d < 200; d++) acc = acc * 31 + 4000000000u / d + 4000000000u % d;
    int sacc = 0;
    for (int d = 1; d < 200; d++) sacc ^= -2000000000 / d + -2000000000 % d;
    printf("%u %d\n", acc, sacc);
    int v = -1000;
    printf("%d %d %d %d %d\n", v / 8, v % 8, v / 10, v / 16 * 16, v / 1);
    return 0;
}
