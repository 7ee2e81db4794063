//! CRC-8, CRC-16, CRC-32, Fletcher and FNV over a small buffer.
#include <stdio.h>
#include <inttypes.h>
static uint8_t crc8(const uint8_t *p, int n) {
    uint8_t c = 0;
    while (n--) { c ^= *p++; for (int i = 0; i < 8; i++) c = (uint8_t)(c & 0x80 ? (c << 1) ^ 7 : c << 1); }
    return c;
}
static uint16_t crc16(const uint8_t *p, int n) {
    uint16_t c = 0xffff;
    while (n--) {
        c ^= (uint16_t)((uint16_t)*p++ << 8);
        for (int i = 0; i < 8; i++) c = (uint16_t)(c & 0x8000u ? ((unsigned)c << 1) ^ 0x1021u : (unsigned)c << 1);
    }
    return c;
}
static uint32_t crc32(const uint8_t *p, int n) {
    uint32_t c = UINT32_C(0xffffffff);
    while (n--) { c ^= *p++; for (int i = 0; i < 8; i++) c = c & 1 ? c >> 1 ^ UINT32_C(0xedb88320) : c >> 1; }
    return c ^ UINT32_C(0xffffffff);
}
static uint16_t fletcher(const uint8_t *p, int n) {
    uint16_t a = 0, b = 0;
    while (n--) { a = (uint16_t)((a + *p++) % 255u); b = (uint16_t)((a + b) % 255u); }
    return (uint16_t)((uint16_t)(b << 8) | a);
}
static uint32_t fnv(const uint8_t *p, int n) {
    uint32_t h = UINT32_C(2166136261);
    while (n--) h = (h ^ *p++) * UINT32_C(16777619);
    return h;
}
int main(void) {
    static const uint8_t s[] = "123456789";
    uint8_t b[64];
    printf("%02x %04x %08" PRIx32 " %04x %08" PRIx32 "\n", crc8(s, 9), crc16(s, 9), crc32(s, 9), fletcher(s, 9), fnv(s, 9));
    for (int i = 0; i < 64; i++) b[i] = (uint8_t)(i * 3);
    for (int n = 0; n <= 64; n += 16) printf("%02x %04x %08" PRIx32 " %04x %08" PRIx32 "\n", crc8(b, n), crc16(b, n), crc32(b, n), fletcher(b, n), fnv(b, n));
    return 0;
}
