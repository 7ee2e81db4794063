//! Bit-fields with uint16_t base: wrap, sign, unions and packing into one word.
#include <stdio.h>
#include <stdint.h>
struct reg { uint16_t en : 1, mode : 3, div : 5, spare : 7; };
struct sg { int16_t a : 4; int16_t b : 12; };
union w { uint16_t raw; struct { uint16_t lo : 6, mid : 5, hi : 5; } f; uint8_t b[2]; };
int main(void) {
    struct reg r = {1, 5, 19, 100};
    printf("%u %u %u %u\n", r.en, r.mode, r.div, r.spare);
    r.en++;
    r.mode += 4;
    r.div = (uint16_t)(r.div * 3u) & 31u;
    r.spare -= 101;
    printf("%u %u %u %u %d\n", r.en, r.mode, r.div, r.spare, (int)sizeof r);
    struct sg s = {-8, 2047};
    printf("%d %d\n", s.a, s.b);
    s.a--;
    s.b = (int16_t)(s.b / -2);
    printf("%d %d\n", s.a, s.b);
    union w w = {0};
    w.f.lo = 63;
    w.f.mid = 10;
    w.f.hi = 21;
    printf("%04x %02x %02x\n", w.raw, w.b[0], w.b[1]);
    w.raw = 0x1234;
    printf("%u %u %u\n", w.f.lo, w.f.mid, w.f.hi);
    for (int i = 0; i < 5; i++) { w.f.mid += 9; w.f.hi ^= w.f.mid; printf("%04x ", w.raw); }
    printf("\n");
    struct reg arr[3] = {{0}};
    for (uint16_t i = 0; i < 3; i++) { arr[i].div = (uint16_t)(i * 10u) & 31u; arr[i].mode = i & 7u; }
    printf("%u %u %u\n", arr[0].div, arr[1].div, arr[2].div + arr[2].mode);
    return 0;
}
