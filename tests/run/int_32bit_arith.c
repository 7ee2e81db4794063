//! Arithmetic on 32-bit signed (without overflow) and unsigned (wrapping) values.
#include <stdio.h>
#include <stdint.h>
#include <limits.h>

static volatile uint32_t uv[] = {0, 1, 2, 65535, 65536, 0x7fffffff, 0x80000000u, 0xfffffffeu, UINT32_MAX};
static volatile int32_t sv[] = {INT32_MIN, INT32_MIN + 1, -65536, -10, -1, 0, 1, 9, 65535, INT32_MAX};

int main(void) {
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++) {
            uint32_t a = uv[i], b = uv[j];
            printf("%u %u: %u %u %u", a, b, a + b, a - b, a * b);
            if (b) printf(" %u %u", a / b, a % b);
            printf(" %08x %08x %08x %d\n", a & b, a | b, a ^ b, a > b);
        }
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++) {
            int32_t a = sv[i], b = sv[j];
            int64_t s = (int64_t)a + b, d = (int64_t)a - b, m = (int64_t)a * b;
            if (s >= INT32_MIN && s <= INT32_MAX) printf("%d", a + b);
            if (d >= INT32_MIN && d <= INT32_MAX) printf(" %d", a - b);
            if (m >= INT32_MIN && m <= INT32_MAX) printf(" %d", a * b);
            if (b && !(a == INT_MIN && b == -1)) printf(" %d %d", a / b, a % b);
            printf(" | %lld %lld %lld\n", (long long)s, (long long)d, (long long)m);
        }
    return 0;
}
