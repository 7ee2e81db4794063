//! AES-128 encryption with an S-box computed at start, checked on the standard example block.
#include <stdio.h>
#include <stdint.h>
#include <string.h>

static uint8_t sbox[256];
static uint8_t mul2(uint8_t x) { return (uint8_t)(x << 1 ^ (x & 0x80 ? 0x1b : 0)); }
static void mk(void) {
    uint8_t p = 1, q = 1;
    do {
        p = (uint8_t)(p ^ mul2(p));
        q ^= (uint8_t)(q << 1); q ^= (uint8_t)(q << 2); q ^= (uint8_t)(q << 4); if (q & 0x80) q ^= 9;
        uint8_t x = q; for (int i = 1; i < 5; i++) x ^= (uint8_t)(q << i | q >> (8 - i));
        sbox[p] = x ^ 0x63;
    } while (p != 1);
    sbox[0] = 0x63;
}
static void expand(const uint8_t k[16], uint8_t w[176]) {
    uint8_t rc = 1; memcpy(w, k, 16);
    for (int i = 16; i < 176; i += 4) {
        uint8_t t[4]; memcpy(t, w + i - 4, 4);
        if (i % 16 == 0) {
            uint8_t z = t[0];
            t[0] = sbox[t[1]] ^ rc;
            t[1] = sbox[t[2]];
            t[2] = sbox[t[3]];
            t[3] = sbox[z];
            rc = mul2(rc);
        }
        for (int j = 0; j < 4; j++) w[i + j] = w[i + j - 16] ^ t[j];
    }
}
static void enc(const uint8_t w[176], uint8_t s[16]) {
    for (int i = 0; i < 16; i++) s[i] ^= w[i];
    for (int r = 1; r <= 10; r++) {
        uint8_t t[16];
        for (int c = 0; c < 4; c++) for (int i = 0; i < 4; i++) t[c * 4 + i] = sbox[s[(c + i) % 4 * 4 + i]];
        for (int c = 0; c < 4; c++) {
            uint8_t *a = t + c * 4;
            if (r < 10) {
                uint8_t all = a[0] ^ a[1] ^ a[2] ^ a[3], f = a[0];
                for (int i = 0; i < 4; i++) { uint8_t nx = i == 3 ? f : a[i + 1]; a[i] ^= all ^ mul2(a[i] ^ nx); }
            }
        }
        for (int i = 0; i < 16; i++) s[i] = t[i] ^ w[r * 16 + i];
    }
}

int main(void) {
    uint8_t k[16], b[16], w[176]; mk(); for (int i = 0; i < 16; i++) { k[i] = (uint8_t)i; b[i] = (uint8_t)(i * 0x11); }
    expand(k, w);
    for (int r = 0; r < 4; r++) { enc(w, b); for (int i = 0; i < 16; i++) printf("%02x", b[i]); printf("\n"); }
    unsigned perm = 0;
    for (int i = 0; i < 256; i++) perm += sbox[i];
    printf("%u %02x %02x\n", perm, sbox[0x53], w[175]);
    return b[0];
}
