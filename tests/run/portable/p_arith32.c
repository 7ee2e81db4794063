//! 32-bit arithmetic, signed and unsigned, with shifts and division.
#include <stdio.h>
#include <inttypes.h>
static const uint32_t v[] = {0, 1, 7, 65535, 65536, UINT32_C(0x7fffffff), UINT32_C(0x80000000), UINT32_C(0xffffffff)};
int main(void) {
    for (int i = 0; i < 8; i++) for (int j = 0; j < 8; j++) {
        uint32_t a = v[i], b = v[j];
        printf("%" PRIx32 " %" PRIx32 ": %" PRIx32 " %" PRIx32 " %" PRIx32, a, b, (uint32_t)(a + b), (uint32_t)(a - b), (uint32_t)(a * b));
        if (b) printf(" %" PRIu32 " %" PRIu32, a / b, a % b);
        if (b && !(a == UINT32_C(0x80000000) && b == UINT32_C(0xffffffff))) printf(" %" PRId32 " %" PRId32, (int32_t)a / (int32_t)b, (int32_t)a % (int32_t)b);
        printf("\n");
    }
    for (int n = 0; n < 32; n += 5) printf("%" PRIx32 " %" PRIx32 " %" PRId32 "\n", UINT32_C(0x9abcdef1) << n, UINT32_C(0x9abcdef1) >> n, INT32_C(-1234567) >> n);
    uint32_t x = 1;
    for (int i = 0; i < 10; i++) { x = x * UINT32_C(1664525) + UINT32_C(1013904223); printf("%" PRIu32 " ", x); }
    printf("\n");
    return 0;
}
