//! SHA-256 with constants derived by integer roots, checked on known messages.
#include <stdio.h>
#include <stdint.h>
#include <string.h>

static uint32_t K[64], H0[8];
static uint32_t frac_root(unsigned p, int cube) {
    unsigned __int128 lo = 0, hi = (unsigned __int128)1 << 37;
    while (hi - lo > 1) {
        unsigned __int128 m = (lo + hi) / 2, v = cube ? m * m * m : m * m, t = (unsigned __int128)p << (cube ? 96 : 64);
        if (v <= t) lo = m; else hi = m;
    }
    return (uint32_t)lo;
}
static void setup(void) {
    int n = 0;
    for (unsigned p = 2; n < 64; p++) {
        int pr = 1;
        for (unsigned d = 2; d * d <= p; d++) if (p % d == 0) pr = 0;
        if (!pr) continue;
        K[n] = frac_root(p, 1);
        if (n < 8) H0[n] = frac_root(p, 0);
        n++;
    }
}
#define R(x, n) ((x) >> (n) | (x) << (32 - (n)))
static void block(uint32_t h[8], const uint8_t *p) {
    uint32_t w[64], v[8];
    for (int i = 0; i < 16; i++) w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 | (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (R(a, 7) ^ R(a, 18) ^ a >> 3) + w[i - 7] + (R(b, 17) ^ R(b, 19) ^ b >> 10);
    }
    memcpy(v, h, 32);
    for (int i = 0; i < 64; i++) {
        uint32_t t1 = v[7] + (R(v[4], 6) ^ R(v[4], 11) ^ R(v[4], 25)) + ((v[4] & v[5]) ^ (~v[4] & v[6])) + K[i] + w[i];
        uint32_t t2 = (R(v[0], 2) ^ R(v[0], 13) ^ R(v[0], 22)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 28); v[4] += t1; v[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++) h[i] += v[i];
}
static void sha(const char *s, size_t n) {
    uint32_t h[8];
    uint8_t last[128] = {0};
    memcpy(h, H0, 32);
    size_t full = n / 64;
    for (size_t i = 0; i < full; i++) block(h, (const uint8_t *)s + 64 * i);
    size_t r = n % 64;
    memcpy(last, s + 64 * full, r);
    last[r] = 0x80;
    size_t tot = r < 56 ? 64 : 128;
    for (int i = 0; i < 8; i++) last[tot - 1 - (size_t)i] = (uint8_t)((uint64_t)n * 8 >> 8 * i);
    block(h, last); if (tot == 128) block(h, last + 64); for (int i = 0; i < 8; i++) printf("%08x", h[i]); printf("\n");
}

int main(void) {
    setup(); printf("%08x %08x %08x\n", K[0], K[63], H0[7]); sha("", 0); sha("abc", 3);
    char m[200];
    for (int i = 0; i < 200; i++) m[i] = (char)('a' + i % 26);
    sha(m, 55);
    sha(m, 56);
    sha(m, 64);
    sha(m, 200);
    return 0;
}
