//! Unsigned bit-fields of every width from 1 to 32 with wrap-around on store.
#include <stdio.h>
#include <string.h>

#define F(n) struct { unsigned pre : 3; unsigned v : n; unsigned post : 5; } s##n
#define T(n) do { F(n); memset(&s##n, 0, sizeof s##n); s##n.pre = 5; s##n.post = 21; s##n.v = seed; \
    printf("%d: %u", n, (unsigned)s##n.v); s##n.v++; printf(" %u", (unsigned)s##n.v); s##n.v = ~(seed & 0); s##n.v += 2u; \
    printf(" %u pre %u post %u size %d\n", (unsigned)s##n.v, s##n.pre, s##n.post, (int)sizeof s##n); } while (0)

static volatile unsigned seed = 0x6f56df77;
struct date { unsigned day : 5, month : 4, year : 12, : 0, hour : 5, minute : 6; };
struct ull { unsigned long long a : 40, b : 24, c : 63, d : 1; };

int main(void) {
    T(1); T(2); T(3); T(4); T(5); T(6); T(7); T(8); T(9); T(10); T(11); T(12); T(13); T(14); T(15); T(16);
    T(17); T(18); T(19); T(20); T(21); T(22); T(23); T(24); T(25); T(26); T(27); T(28); T(29); T(30); T(31); T(32);
    struct date d = {31, 12, 2024, 23, 59};
    printf("%u-%u-%u %u:%u %d\n", d.year, d.month, d.day, d.hour, d.minute, (int)sizeof d);
    d.minute++; d.day++; printf("%u %u %u\n", d.minute, d.day, d.hour);
    struct ull u = {0xabcdef0123ull, 0x123456, 0x7edcba9876543210ull, 1};
    u.a += 0xff00000000ull; u.b *= 3; u.c >>= 3; u.d ^= 1;
    printf("%llx %llx %llx %llx %d\n", (unsigned long long)u.a, (unsigned long long)u.b, (unsigned long long)u.c, (unsigned long long)u.d, (int)sizeof u);
    return d.hour;
}
