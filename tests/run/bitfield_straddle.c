//! Bit-fields of mixed declared types, zero-width separators and allocation units.
#include <stdio.h>
#include <string.h>
#include <stdint.h>

struct a { uint8_t x : 5; uint8_t y : 5; uint8_t z : 5; };
struct b { uint16_t x : 9; uint8_t y : 3; uint32_t z : 20; };
struct c { uint32_t x : 20; uint32_t y : 20; uint64_t z : 30; };
struct d { char c; int f : 24; char e; };
struct e { int f : 4; int : 0; int g : 4; short h : 2; long long : 0; char k : 1; };
struct f { char pre; uint64_t w : 48; uint16_t t; };

static void dump(const char *n, const void *p, size_t len) {
    const unsigned char *b = p;
    printf("%s ", n);
    for (size_t i = 0; i < len; i++) printf("%02x", b[i]);
    printf("\n");
}
#define Z(v) memset(&v, 0, sizeof v)

int main(void) {
    struct a a; Z(a); a.x = 31; a.y = 17; a.z = 9; dump("a", &a, sizeof a);
    struct b b; Z(b); b.x = 0x1aa; b.y = 5; b.z = 0xfedcb; dump("b", &b, sizeof b);
    struct c c; Z(c); c.x = 0xabcde; c.y = 0x12345; c.z = 0x3fffffff; dump("c", &c, sizeof c);
    struct d d; Z(d); d.c = 'c'; d.f = -2; d.e = 'e'; dump("d", &d, sizeof d);
    struct e e; Z(e); e.f = 7; e.g = -8; e.h = 1; e.k = -1; dump("e", &e, sizeof e);
    struct f f; Z(f); f.pre = 1; f.w = 0x123456789abcull; f.t = 0xffff; dump("f", &f, sizeof f);
    printf("%d %d %d %d %d %d\n", (int)sizeof a, (int)sizeof b, (int)sizeof c, (int)sizeof d, (int)sizeof e, (int)sizeof f);
    c.y ^= 0xfffff; c.z -= c.x; d.f *= 1000; f.w++;
    printf("%x %x %d %llx\n", c.y, (unsigned)c.z, d.f, (unsigned long long)f.w);
    struct c cc[4]; memset(cc, 0, sizeof cc);
    for (unsigned i = 0; i < 4; i++) { cc[i].x = i * 300000; cc[i].y = i * 77777; cc[i].z = i * 123456789u; }
    for (int i = 0; i < 4; i++) printf("%u %u %u\n", cc[i].x, cc[i].y, (unsigned)cc[i].z);
    return 0;
}
