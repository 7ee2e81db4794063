//! Arithmetic on 64-bit signed and unsigned values over edge operands.
#include <stdio.h>
#include <stdint.h>
#include <inttypes.h>

static volatile uint64_t uv[] = {0, 1, 3, UINT32_MAX, 1ull << 32, INT64_MAX, 1ull << 63, UINT64_MAX - 1, UINT64_MAX};
static volatile int64_t sv[] = {INT64_MIN, INT64_MIN + 1, -4294967296ll, -7, -1, 1, 7, 4294967297ll, INT64_MAX};

int main(void) {
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++) {
            uint64_t a = uv[i], b = uv[j];
            printf("%" PRIu64 " %" PRIu64 ": %" PRIx64 " %" PRIx64 " %" PRIx64, a, b, a + b, a - b, a * b);
            if (b) printf(" %" PRIu64 " %" PRIu64, a / b, a % b);
            printf(" %d%d\n", a < b, a >= b);
        }
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++) {
            int64_t a = sv[i], b = sv[j];
            if (a == INT64_MIN && b == -1) continue;
            printf("%" PRId64 " / %" PRId64 " = %" PRId64 " r %" PRId64 " sh %" PRId64 "\n", a, b, a / b, a % b, a >> 5);
        }
    int64_t big = INT64_C(1234567890123456789);
    printf("%" PRId64 " %" PRIX64 " %" PRIo64 "\n", big, (uint64_t)big, (uint64_t)big);
    printf("%lld\n", big % 1000 * 1000000007ll % 998244353ll);
    return 64;
}
