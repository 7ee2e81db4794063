//! Table-driven CRC-32 over a 16 KB buffer, repeated.
#include <stdint.h>
#include <stdio.h>

#ifndef BUF_LEN
#define BUF_LEN 16384u
#endif
#ifndef ROUNDS
#define ROUNDS 400u
#endif

static uint32_t table[256];
static uint8_t buf[BUF_LEN];

static void build_table(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++)
            c = (c & 1u) ? (c >> 1) ^ 0xedb88320u : c >> 1;
        table[i] = c;
    }
}

static uint32_t crc32_update(uint32_t crc, const uint8_t *p, uint32_t len) {
    crc = ~crc;
    while (len--)
        crc = table[(crc ^ *p++) & 0xffu] ^ (crc >> 8);
    return ~crc;
}

int main(void) {
    build_table();
    for (uint32_t i = 0; i < BUF_LEN; i++)
        buf[i] = (uint8_t)(i * 31u + (i >> 5));

    uint32_t crc = 0;
    for (uint32_t r = 0; r < ROUNDS; r++) {
        crc = crc32_update(crc, buf, BUF_LEN);
        buf[r % BUF_LEN] ^= (uint8_t)crc;
    }
    printf("crc32_table %08lx\n", (unsigned long)crc);
    return 0;
}
