//! Classic bit manipulation idioms checked against simple loops.
#include <stdio.h>
#include <stdint.h>

static int pop_loop(uint32_t v) { int n = 0; while (v) { n += v & 1; v >>= 1; } return n; }
static int pop_swar(uint32_t v) {
    v -= v >> 1 & 0x55555555u; v = (v & 0x33333333u) + (v >> 2 & 0x33333333u);
    return (int)(((v + (v >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24);
}
static uint32_t reverse(uint32_t v) {
    v = (v >> 1 & 0x55555555u) | (v & 0x55555555u) << 1;
    v = (v >> 2 & 0x33333333u) | (v & 0x33333333u) << 2;
    v = (v >> 4 & 0x0f0f0f0fu) | (v & 0x0f0f0f0fu) << 4;
    v = (v >> 8 & 0x00ff00ffu) | (v & 0x00ff00ffu) << 8;
    return v >> 16 | v << 16;
}
static uint32_t pow2up(uint32_t v) {
    v--;
    v |= v >> 1;
    v |= v >> 2;
    v |= v >> 4;
    v |= v >> 8;
    v |= v >> 16;
    return v + 1;
}
static int log2i(uint32_t v) { int r = 0; while (v >>= 1) r++; return r; }
static uint32_t gray(uint32_t v) { return v ^ v >> 1; }
static uint32_t ungray(uint32_t v) { for (int s = 16; s; s >>= 1) v ^= v >> s; return v; }
static uint32_t morton(uint16_t x, uint16_t y) {
    uint32_t r = 0;
    for (int i = 0; i < 16; i++) r |= (uint32_t)(x >> i & 1) << (2 * i) | (uint32_t)(y >> i & 1) << (2 * i + 1);
    return r;
}

int main(void) {
    uint32_t v = 0x2545f491;
    for (int i = 0; i < 40; i++) {
        v ^= v << 13; v ^= v >> 17; v ^= v << 5;
        printf("%08x %d %d %08x low=%08x clr=%08x %u %d %d\n", v, pop_loop(v), pop_swar(v), reverse(v), v & -v, v & (v - 1),
               pow2up(v >> 4), log2i(v), ungray(gray(v)) == v);
    }
    printf("%08x %08x\n", morton(0xffff, 0), morton(0x1234, 0xabcd));
    int sw1 = 5, sw2 = 9; sw1 ^= sw2; sw2 ^= sw1; sw1 ^= sw2; printf("%d %d\n", sw1, sw2);
    for (int i = -3; i <= 3; i++) { int m = i >> 31; printf("%d ", (i ^ m) - m); }
    printf("\n");
    unsigned set = 0xb; for (unsigned sub = set; ; sub = (sub - 1) & set) { printf("%x ", sub); if (!sub) break; }
    printf("\n");
    return pop_swar(0xffffffffu);
}
