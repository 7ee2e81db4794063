//! Bit-fields inside unions overlaying whole registers.
#include <stdio.h>
#include <stdint.h>

union ctrl {
    uint32_t raw;
    struct { uint32_t enable : 1, mode : 3, : 4, prescale : 8, reload : 16; } bits;
    uint8_t bytes[4];
};
union f32 { float f; uint32_t u; struct { uint32_t man : 23, exp : 8, sign : 1; } p; };
union f64 { double d; struct { uint64_t man : 52, exp : 11, sign : 1; } p; };

static union ctrl make(unsigned mode, unsigned pre, unsigned rel) {
    union ctrl c = {0};
    c.bits.enable = 1; c.bits.mode = mode; c.bits.prescale = pre; c.bits.reload = rel;
    return c;
}

int main(void) {
    union ctrl c = make(5, 0x3c, 0xbabe);
    printf("%08x %02x %02x %02x %02x\n", c.raw, c.bytes[0], c.bytes[1], c.bytes[2], c.bytes[3]);
    c.raw = 0x12345678; printf("%u %u %u %u\n", c.bits.enable, c.bits.mode, c.bits.prescale, c.bits.reload);
    c.bits.mode ^= 7; c.bits.reload--; printf("%08x\n", c.raw);
    volatile union ctrl *reg = &c; reg->bits.enable = 1; reg->bits.prescale += 200; printf("%08x\n", reg->raw);
    static const float fs[] = {1.0f, -2.5f, 0.1f, 0.0f, 1e-40f, 3.4e38f};
    for (int i = 0; i < 6; i++) { union f32 v = {fs[i]}; printf("%d %u %06x %08x\n", v.p.sign, v.p.exp, v.p.man, v.u); }
    union f64 d = {-3.141592653589793};
    printf("%d %d %llx\n", (int)d.p.sign, (int)d.p.exp, (unsigned long long)d.p.man);
    d.p.exp += 3; d.p.sign = 0; printf("%.17g\n", d.d);
    union f32 inf; inf.p.sign = 1; inf.p.exp = 255; inf.p.man = 0; printf("%f\n", (double)inf.f);
    return (int)c.bits.mode;
}
