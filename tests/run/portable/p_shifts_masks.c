//! Shifts, masks, rotates and bit counting in fixed width types.
#include <stdio.h>
#include <inttypes.h>
static uint16_t rol16(uint16_t x, unsigned n) { uint32_t w = x; n &= 15; return (uint16_t)(w << n | w >> (16 - n)); }
static uint32_t ror32(uint32_t x, unsigned n) { n &= 31; return n ? (uint32_t)(x >> n | x << (32 - n)) : x; }
static int pop(uint32_t v) { int n = 0; for (; v; v &= v - 1) n++; return n; }
static uint8_t rev8(uint8_t b) {
    uint8_t r = 0;
    for (int i = 0; i < 8; i++) if (b & (1u << i)) r |= (uint8_t)(0x80u >> i);
    return r;
}
int main(void) {
    for (unsigned n = 0; n < 33; n += 3) printf("%u %04x %08" PRIx32 "\n", n, rol16(0x8421, n), ror32(UINT32_C(0x80000001), n));
    for (int i = 0; i < 8; i++) printf("%02x ", rev8((uint8_t)(i * 37)));
    printf("%d %d %d\n", pop(0), pop(UINT32_C(0xf0f0f0f0)), pop(UINT32_C(0xffffffff)));
    uint16_t flags = 0;
    flags |= 1u << 3;
    flags |= 1u << 15;
    flags ^= 0x00ff;
    flags &= (uint16_t)~0x0010u;
    printf("%04x\n", flags);
    int16_t s = -1000; for (int i = 0; i < 6; i++) printf("%d ", s >> i);
    printf("\n"); uint8_t b = 0xa5; printf("%02x %02x %02x\n", (uint8_t)(b << 2), (uint8_t)(b >> 2), (uint8_t)~b);
    uint32_t g = UINT32_C(0xcafef00d);
    printf("%02x %02x %02x %02x\n", (unsigned)(g >> 24), (unsigned)(g >> 16 & 0xff), (unsigned)(g >> 8 & 0xff), (unsigned)(g & 0xff));
    return 0;
}
