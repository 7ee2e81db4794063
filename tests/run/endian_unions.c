//! Byte order observed through unions, memcpy and explicit byte assembly.
#include <stdio.h>
#include <string.h>
#include <stdint.h>

static uint32_t rd_le32(const uint8_t *p) {
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}
static uint32_t rd_be32(const uint8_t *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}
static uint64_t rd_be64(const uint8_t *p) { return (uint64_t)rd_be32(p) << 32 | rd_be32(p + 4); }
static void wr_be16(uint8_t *p, uint16_t v) { p[0] = (uint8_t)(v >> 8); p[1] = (uint8_t)v; }
static void wr_le64(uint8_t *p, uint64_t v) { for (int i = 0; i < 8; i++) p[i] = (uint8_t)(v >> 8 * i); }
static uint32_t swap32(uint32_t v) { return v >> 24 | (v >> 8 & 0xff00) | (v << 8 & 0xff0000) | v << 24; }

int main(void) {
    union { uint64_t q; uint32_t w[2]; uint16_t h[4]; uint8_t b[8]; } u = {0x0102030405060708ull};
    for (int i = 0; i < 8; i++) printf("%d", u.b[i]);
    printf(" %x %x %x %x\n", u.w[0], u.w[1], u.h[0], u.h[3]);
    uint8_t buf[16] = {0xde, 0xad, 0xbe, 0xef, 1, 2, 3, 4};
    printf("%08x %08x %016llx\n", rd_le32(buf), rd_be32(buf), (unsigned long long)rd_be64(buf));
    uint32_t m; memcpy(&m, buf + 1, 4); printf("%08x %08x\n", m, swap32(m));
    wr_be16(buf, 0xcafe); wr_le64(buf + 2, 0x1122334455667788ull);
    for (int i = 0; i < 10; i++) printf("%02x", buf[i]);
    printf("\n%08x %04x %016llx\n", __builtin_bswap32(0x11223344), __builtin_bswap16(0x1234), (unsigned long long)__builtin_bswap64(u.q));
    double d = -1.0; memcpy(buf, &d, 8); for (int i = 0; i < 8; i++) printf("%02x", buf[i]);
    printf("\n");
    int16_t s = -2;
    memcpy(buf, &s, 2);
    printf("%02x%02x %d\n", buf[0], buf[1], __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
    return u.b[0];
}
