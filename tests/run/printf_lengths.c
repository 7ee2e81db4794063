//! printf length modifiers hh h l ll j z t with edge values, and %i.
#include <stdio.h>
#include <stdint.h>
#include <stddef.h>
#include <limits.h>
#include <wchar.h>

int main(void) {
    printf("%hhd %hhu %hhx %hho\n", (signed char)-128, (unsigned char)255, (unsigned char)0xab, (unsigned char)0377);
    printf("%hd %hu %hx %hi\n", (short)-32768, (unsigned short)65535, (unsigned short)0xbeef, (short)-1);
    printf("%ld %lu %lx %lo\n", LONG_MIN, ULONG_MAX, ULONG_MAX, 8ul);
    printf("%lld %llu %llx %lli\n", LLONG_MIN, ULLONG_MAX, 0xdeadbeefcafef00dull, LLONG_MAX);
    printf("%jd %ju %jx\n", INTMAX_MIN, UINTMAX_MAX, (uintmax_t)255);
    printf("%zu %zx %zd\n", (size_t)123456, SIZE_MAX, (ptrdiff_t)-9);
    printf("%td %+td\n", (ptrdiff_t)-5, (ptrdiff_t)5);
    printf("%i %+i % i %05i\n", 5, 5, 5, -5);
    printf("%#llx %#lo %#hhX %#x\n", 1ull << 63, 64ul, (unsigned char)200, 0u);
    printf("%20lld|%-20lld|%020lld|%+.18lld\n", 1234567890123ll, 1234567890123ll, -1234567890123ll, 99ll);
    printf("%*d|%-*d|%.*d|%*.*d\n", 6, 42, 6, 42, 4, 42, 8, 3, -7); printf("%*d|%.*d|%.*x\n", -6, 42, -1, 42, 0, 0u);
    printf("%c%c%c|%5c|%-5c|%lc\n", 'a', 0x42, '!', 'r', 'l', (wint_t)'w');
    printf("%%|%5d%%|%d%%%d\n", 50, 1, 2);
    printf("%d %d %d %d %d %d %d %d %d %d\n", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    return 0;
}
