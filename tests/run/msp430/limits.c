//! Limits of the integer types and the type of constants on a 16-bit target.
#include <stdio.h>
#include <limits.h>
#include <stdint.h>
#define K(e) _Generic((e), int: "int", unsigned: "unsigned", long: "long", unsigned long: "ulong", long long: "llong", unsigned long long: "ullong", default: "?")
int main(void) {
    printf("%d %d %u\n", INT_MIN, INT_MAX, UINT_MAX);
    printf("%ld %ld %lu\n", LONG_MIN, LONG_MAX, ULONG_MAX);
    printf("%lld %lld %llu\n", LLONG_MIN, LLONG_MAX, ULLONG_MAX);
    printf("%d %d %u\n", SHRT_MIN, SHRT_MAX, (unsigned)USHRT_MAX);
    printf("%u %d %d\n", (unsigned)SIZE_MAX, (int)PTRDIFF_MAX, CHAR_BIT);
    printf("%s %s %s %s\n", K(32767), K(32768), K(0x8000), K(0xffff));
    printf("%s %s %s %s\n", K(65536), K(2147483647), K(2147483648), K(0x80000000));
    printf("%s %s %s %s\n", K((uint8_t)1 + 1), K((uint16_t)1 + 1), K((uint32_t)1 + 1), K(1u + 1L));
    printf("%s %s %s\n", K('a'), K(sizeof(int)), K((char *)4 - (char *)2));
    return 0;
}
