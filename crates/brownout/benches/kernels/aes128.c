//! AES-128 in CBC mode over a 4 KB buffer, byte oriented as on small controllers.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifndef BUF_LEN
#define BUF_LEN 4096u
#endif
#ifndef ROUNDS
#define ROUNDS 70u
#endif

static uint8_t sbox[256];
static uint8_t buf[BUF_LEN];

static uint8_t xtime(uint8_t x) {
    return (uint8_t)((x << 1) ^ ((x & 0x80u) ? 0x1b : 0));
}

static void build_sbox(void) {
    uint8_t p = 1, q = 1;
    do {
        p = (uint8_t)(p ^ xtime(p));
        q ^= (uint8_t)(q << 1);
        q ^= (uint8_t)(q << 2);
        q ^= (uint8_t)(q << 4);
        if (q & 0x80u)
            q ^= 0x09;
        uint8_t x = q;
        for (int i = 1; i <= 4; i++)
            x ^= (uint8_t)((q << i) | (q >> (8 - i)));
        sbox[p] = (uint8_t)(x ^ 0x63);
    } while (p != 1);
    sbox[0] = 0x63;
}

static void expand_key(const uint8_t key[16], uint8_t w[176]) {
    uint8_t rcon = 1;
    memcpy(w, key, 16);
    for (int i = 16; i < 176; i += 4) {
        uint8_t t[4];
        memcpy(t, w + i - 4, 4);
        if (i % 16 == 0) {
            uint8_t first = t[0];
            t[0] = (uint8_t)(sbox[t[1]] ^ rcon);
            t[1] = sbox[t[2]];
            t[2] = sbox[t[3]];
            t[3] = sbox[first];
            rcon = xtime(rcon);
        }
        for (int j = 0; j < 4; j++)
            w[i + j] = w[i + j - 16] ^ t[j];
    }
}

static void add_round_key(uint8_t s[16], const uint8_t *k) {
    for (int i = 0; i < 16; i++)
        s[i] ^= k[i];
}

static void sub_and_shift(uint8_t s[16]) {
    uint8_t t[16];
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++)
            t[c * 4 + r] = sbox[s[((c + r) & 3) * 4 + r]];
    memcpy(s, t, 16);
}

static void mix_columns(uint8_t s[16]) {
    for (int c = 0; c < 4; c++) {
        uint8_t *a = s + c * 4;
        uint8_t first = a[0];
        uint8_t all = a[0] ^ a[1] ^ a[2] ^ a[3];
        a[0] ^= all ^ xtime(a[0] ^ a[1]);
        a[1] ^= all ^ xtime(a[1] ^ a[2]);
        a[2] ^= all ^ xtime(a[2] ^ a[3]);
        a[3] ^= all ^ xtime(a[3] ^ first);
    }
}

static void encrypt(const uint8_t w[176], uint8_t s[16]) {
    add_round_key(s, w);
    for (int r = 1; r < 10; r++) {
        sub_and_shift(s);
        mix_columns(s);
        add_round_key(s, w + r * 16);
    }
    sub_and_shift(s);
    add_round_key(s, w + 160);
}

int main(void) {
    uint8_t key[16], w[176], iv[16] = {0};
    build_sbox();
    for (int i = 0; i < 16; i++)
        key[i] = (uint8_t)(i * 17 + 3);
    expand_key(key, w);
    for (uint32_t i = 0; i < BUF_LEN; i++)
        buf[i] = (uint8_t)(i ^ (i >> 8));

    for (uint32_t r = 0; r < ROUNDS; r++)
        for (uint32_t off = 0; off < BUF_LEN; off += 16) {
            for (int i = 0; i < 16; i++)
                buf[off + i] ^= iv[i];
            encrypt(w, buf + off);
            memcpy(iv, buf + off, 16);
        }

    uint32_t sum = 0;
    for (uint32_t i = 0; i < BUF_LEN; i++)
        sum = sum * 31u + buf[i];
    printf("aes128 %08lx\n", (unsigned long)sum);
    return 0;
}
