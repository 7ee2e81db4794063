//! Bit-by-bit CRC-32 over a 4 KB buffer, repeated.
#include <stdint.h>
#include <stdio.h>

#ifndef BUF_LEN
#define BUF_LEN 4096u
#endif
#ifndef ROUNDS
#define ROUNDS 1700u
#endif

static uint8_t buf[BUF_LEN];

static uint32_t crc32_bits(uint32_t crc, const uint8_t *p, uint32_t len) {
    crc = ~crc;
    for (uint32_t i = 0; i < len; i++) {
        crc ^= p[i];
        for (int k = 0; k < 8; k++) {
            uint32_t lsb = crc & 1u;
            crc >>= 1;
            if (lsb)
                crc ^= 0xedb88320u;
        }
    }
    return ~crc;
}

int main(void) {
    for (uint32_t i = 0; i < BUF_LEN; i++)
        buf[i] = (uint8_t)(i * 7u + 3u);

    uint32_t crc = 0;
    for (uint32_t r = 0; r < ROUNDS; r++) {
        crc = crc32_bits(crc, buf, BUF_LEN);
        buf[(r * 97u) % BUF_LEN] ^= (uint8_t)(crc >> 8);
    }
    printf("crc32_bitwise %08lx\n", (unsigned long)crc);
    return 0;
}
