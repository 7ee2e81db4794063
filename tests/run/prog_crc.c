//! CRC-8, CRC-16 and CRC-32 by bit loops and tables, with known check values.
#include <stdio.h>
#include <stdint.h>
#include <string.h>

static uint8_t crc8(const uint8_t *p, size_t n) {
    uint8_t c = 0;
    while (n--) { c ^= *p++; for (int i = 0; i < 8; i++) c = (uint8_t)(c & 0x80 ? c << 1 ^ 7 : c << 1); }
    return c;
}
static uint16_t crc16(const uint8_t *p, size_t n) {
    uint16_t c = 0xffff;
    while (n--) {
        c ^= (uint16_t)(*p++ << 8);
        for (int i = 0; i < 8; i++) c = (uint16_t)(c & 0x8000 ? c << 1 ^ 0x1021 : c << 1);
    }
    return c;
}
static uint32_t tab[256];
static void mk(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++) c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
        tab[i] = c;
    }
}
static uint32_t crc32(uint32_t c, const uint8_t *p, size_t n) {
    c = ~c;
    while (n--) c = tab[(c ^ *p++) & 255] ^ c >> 8;
    return ~c;
}

int main(void) {
    const uint8_t *s = (const uint8_t *)"123456789"; mk();
    printf("%02x %04x %08x\n", crc8(s, 9), crc16(s, 9), crc32(0, s, 9));
    printf("%08x %08x\n", crc32(crc32(0, s, 4), s + 4, 5), crc32(0, s, 0));
    uint8_t buf[1000]; for (int i = 0; i < 1000; i++) buf[i] = (uint8_t)(i * i >> 3);
    printf("%02x %04x %08x\n", crc8(buf, 1000), crc16(buf, 1000), crc32(0, buf, 1000));
    buf[500] ^= 1; printf("%08x\n", crc32(0, buf, 1000));
    return crc8(s, 9);
}
