//! printf of integers with flags, widths and precisions inside 16-bit range and as long.
#include <stdio.h>
#include <stddef.h>
#include <inttypes.h>
int main(void) {
    static const int v[] = {0, 1, -1, 42, -300, 32767, -32767};
    for (int i = 0; i < 7; i++) printf("[%d][%6d][%-6d][%06d][%+d][% d][%.3d][%7.4d][%i]\n", v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i]);
    static const unsigned u[] = {0, 9, 255, 4096, 65535u};
    for (int i = 0; i < 5; i++) printf("[%u][%x][%X][%o][%#x][%#o][%08x][%-6u]\n", u[i], u[i], u[i], u[i], u[i], u[i], u[i], u[i]);
    static const int32_t l[] = {0, -1, 65536, INT32_MAX, INT32_MIN};
    for (int i = 0; i < 5; i++) printf("[%ld][%12ld][%-12ld][%012ld][%lx]\n", (long)l[i], (long)l[i], (long)l[i], (long)l[i], (unsigned long)(l[i] & INT32_C(0x7fffffff)));
    printf("%lld %llu %llx\n", -9000000000000000000LL, 18000000000000000000ULL, 0xdeadbeefcafeULL);
    printf("%hd %hhu %c %5c|%-3c|%%\n", (short)-5, (unsigned char)200, 'x', 'y', 'z');
    printf("%*d|%-*d|%.*d\n", 5, 12, 5, 12, 4, 12);
    printf("%" PRIu8 " %" PRId16 " %" PRIx32 " %" PRIu64 "\n", (uint8_t)255, (int16_t)-1, UINT32_C(0xabcdef01), UINT64_C(12345678901));
    printf("%zu %td\n", (size_t)60000u, (ptrdiff_t)-3);
    return 0;
}
