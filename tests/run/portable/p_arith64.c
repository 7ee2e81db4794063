//! 64-bit arithmetic, shifts, division and printing.
#include <stdio.h>
#include <inttypes.h>
static const uint64_t v[] = {0, 1, 10, UINT64_C(0xffffffff), UINT64_C(0x100000000), UINT64_C(0x123456789abcdef0), UINT64_C(0x7fffffffffffffff), UINT64_C(0xffffffffffffffff)};
int main(void) {
    for (int i = 0; i < 8; i++) for (int j = 1; j < 8; j++) {
        uint64_t a = v[i], b = v[j];
        printf("%" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIu64 " %" PRIu64 " %" PRId64 " %" PRId64 "\n", a + b, a - b, a * b, a / b, a % b, (int64_t)a / (int64_t)b, (int64_t)a % (int64_t)b);
    }
    for (int n = 0; n < 64; n += 9) printf("%d %" PRIx64 " %" PRIx64 " %" PRId64 "\n", n, v[5] << n, v[5] >> n, (int64_t)v[7] / 3 * 1000 >> n);
    int64_t f = 1; for (int i = 2; i <= 20; i++) f *= i;
    printf("%" PRId64 " %d %d\n", f, f > INT64_C(5000000000), (int)(f % 1009));
    uint64_t h = UINT64_C(14695981039346656037);
    for (const char *p = "portable"; *p; p++) h = (h ^ (uint8_t)*p) * UINT64_C(1099511628211);
    printf("%016" PRIx64 " %20" PRId64 "|%-20" PRIu64 "|\n", h, (int64_t)-5, h);
    return 0;
}
