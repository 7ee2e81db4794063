//! Overflow-checking builtins of every width, signedness and mixed result types.
#include <stdio.h>
#include <stdint.h>

#define OPS(T, F, a, b) do { volatile T x = (a), y = (b); T r; int o; o = __builtin_add_overflow(x, y, &r); printf(#T " " F "/%d ", r, o); o = __builtin_sub_overflow(x, y, &r); printf(F "/%d ", r, o); o = __builtin_mul_overflow(x, y, &r); printf(F "/%d\n", r, o); } while (0)
int main(void) {
    OPS(int8_t, "%d", 127, 1);
    OPS(int8_t, "%d", -128, -1);
    OPS(int8_t, "%d", 11, 11);
    OPS(uint8_t, "%u", 255, 1);
    OPS(uint8_t, "%u", 3, 5);
    OPS(int16_t, "%d", 32767, 2);
    OPS(int16_t, "%d", -200, 163);
    OPS(uint16_t, "%u", 65535, 65535);
    OPS(int32_t, "%d", INT32_MAX, 1);
    OPS(int32_t, "%d", INT32_MIN, -1);
    OPS(int32_t, "%d", 46341, 46341);
    OPS(int32_t, "%d", 5, -7);
    OPS(uint32_t, "%u", UINT32_MAX, 1);
    OPS(uint32_t, "%u", 65536, 65536);
    OPS(uint32_t, "%u", 9, 3);
    OPS(long long, "%lld", INT64_MAX, 2);
    OPS(long long, "%lld", INT64_MIN, -1);
    OPS(unsigned long long, "%llu", UINT64_MAX, UINT64_MAX);
    OPS(unsigned long long, "%llu", 1ull << 32, 1ull << 31);
    int o;
    int8_t small;
    uint8_t us;
    int wide;
    unsigned u;
    o = __builtin_add_overflow(100, 27, &small);
    printf("%d %d\n", o, small);
    o = __builtin_add_overflow(100, 28, &small);
    printf("%d %d\n", o, small);
    o = __builtin_sub_overflow(5, 6, &us);
    printf("%d %d\n", o, us);
    o = __builtin_mul_overflow(-3, 4u, &wide);
    printf("%d %d\n", o, wide);
    o = __builtin_mul_overflow(-3, 4u, &u);
    printf("%d %u\n", o, u);
    o = __builtin_add_overflow(3000000000u, -2000000000, &wide);
    printf("%d %d\n", o, wide);
    o = __builtin_sub_overflow(1ll << 40, (1ll << 40) - 9, &small);
    printf("%d %d\n", o, small);
    int r;
    o = __builtin_sadd_overflow(2147483647, 1, &r);
    printf("%d %d\n", o, r);
    unsigned long ul;
    o = __builtin_umull_overflow(1ul << 63, 2, &ul);
    printf("%d %lu\n", o, ul);
    long long ll;
    o = __builtin_ssubll_overflow(INT64_MIN, 1, &ll);
    printf("%d %lld\n", o, ll);
    unsigned c, s = __builtin_addc(0xffffffffu, 1u, 1u, &c);
    printf("%u %u\n", s, c);
    s = __builtin_subc(0u, 0u, 1u, &c);
    printf("%u %u\n", s, c);
    size_t n;
    printf("%d\n", __builtin_mul_overflow((size_t)1 << 62, (size_t)5, &n));
    return 0;
}
