//! Comparisons at all widths and signedness, including mixed operands with explicit casts.
#include <stdio.h>
#include <stdint.h>

#define ROW(T, x, y) do { volatile T a = (T)(x), b = (T)(y); \
    printf("%-9s %d%d%d%d%d%d\n", #T, a < b, a <= b, a > b, a >= b, a == b, a != b); } while (0)
#define ALL(x, y) do { printf("-- %s %s\n", #x, #y); ROW(int8_t, x, y); ROW(uint8_t, x, y); ROW(int16_t, x, y); ROW(uint16_t, x, y); \
    ROW(int32_t, x, y); ROW(uint32_t, x, y); ROW(int64_t, x, y); ROW(uint64_t, x, y); } while (0)

static int sign(int64_t v) { return (v > 0) - (v < 0); }
static int between(unsigned lo, unsigned v, unsigned hi) { return v - lo <= hi - lo; }

int main(void) {
    ALL(0, 0); ALL(-1, 1); ALL(127, 128); ALL(255, 256); ALL(32767, 32768);
    ALL(65536, 0); ALL(0x80000000ll, 0x7fffffffll); ALL(1ll << 32, 1); ALL(INT64_MIN, INT64_MAX);
    printf("%d %d %d\n", sign(-5), sign(0), sign(1ll << 40));
    for (unsigned v = 8; v < 14; v++) printf("%d", between(10, v, 12));
    printf("\n");
    int m = -3; unsigned n = 3;
    printf("%d %d %d\n", (unsigned)m < n, m < (int)n, (long long)m < n);
    return between(1, 2, 3);
}
