//! XTEA, RC4-style stream, xorshift, LFSR, Mersenne-like mixing and Adler/Fletcher checksums.
#include <stdio.h>
#include <stdint.h>
#include <string.h>
static void xtea(uint32_t v[2], const uint32_t k[4]) {
    uint32_t s = 0;
    for (int i = 0; i < 32; i++) {
        v[0] += ((v[1] << 4 ^ v[1] >> 5) + v[1]) ^ (s + k[s & 3]);
        s += 0x9e3779b9u;
        v[1] += ((v[0] << 4 ^ v[0] >> 5) + v[0]) ^ (s + k[s >> 11 & 3]);
    }
}
static void unxtea(uint32_t v[2], const uint32_t k[4]) {
    uint32_t s = 0x9e3779b9u * 32;
    for (int i = 0; i < 32; i++) {
        v[1] -= ((v[0] << 4 ^ v[0] >> 5) + v[0]) ^ (s + k[s >> 11 & 3]);
        s -= 0x9e3779b9u;
        v[0] -= ((v[1] << 4 ^ v[1] >> 5) + v[1]) ^ (s + k[s & 3]);
    }
}
struct rc { uint8_t s[256], i, j; };
static void init(struct rc *r, const char *k) {
    size_t n = strlen(k);
    uint8_t j = 0;
    for (int i = 0; i < 256; i++) r->s[i] = (uint8_t)i;
    for (int i = 0; i < 256; i++) {
        j = (uint8_t)(j + r->s[i] + k[(size_t)i % n]);
        uint8_t t = r->s[i];
        r->s[i] = r->s[j];
        r->s[j] = t;
    }
    r->i = r->j = 0;
}
static uint8_t byte(struct rc *r) {
    r->i++;
    r->j = (uint8_t)(r->j + r->s[r->i]);
    uint8_t t = r->s[r->i];
    r->s[r->i] = r->s[r->j];
    r->s[r->j] = t;
    return r->s[(uint8_t)(r->s[r->i] + r->s[r->j])];
}
static uint32_t adler(const char *s) {
    uint32_t a = 1, b = 0;
    while (*s) { a = (a + (uint8_t)*s++) % 65521; b = (b + a) % 65521; }
    return b << 16 | a;
}
static uint16_t fletcher(const char *s) {
    uint16_t a = 0, b = 0;
    while (*s) { a = (uint16_t)((a + (uint8_t)*s++) % 255); b = (uint16_t)((a + b) % 255); }
    return (uint16_t)(b << 8 | a);
}
static int luhn(const char *s) {
    int t = 0, n = (int)strlen(s);
    for (int i = 0; i < n; i++) { int d = s[n - 1 - i] - '0'; if (i & 1) { d *= 2; if (d > 9) d -= 9; } t += d; }
    return t % 10 == 0;
}
int main(void) {
    uint32_t v[2] = {0x41424344, 0x45464748}, k[4] = {0x00010203, 0x04050607, 0x08090a0b, 0x0c0d0e0f};
    xtea(v, k);
    printf("%08x %08x ", v[0], v[1]);
    unxtea(v, k);
    printf("%08x %08x\n", v[0], v[1]);
    struct rc r;
    init(&r, "Key");
    for (const char *p = "Plaintext"; *p; p++) printf("%02X", (uint8_t)*p ^ byte(&r));
    printf("\n");
    uint16_t l = 0xace1;
    unsigned per = 0;
    do { l = (uint16_t)(l >> 1 ^ (-(l & 1u) & 0xb400u)); per++; } while (l != 0xace1);
    printf("%u\n", per);
    uint64_t x = 88172645463325252ull;
    for (int i = 0; i < 4; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        printf("%016llx ", (unsigned long long)(x * 2685821657736338717ull));
    }
    printf("\n%08x %04x %d %d\n", adler("Wikipedia"), fletcher("abcde"), luhn("4539578763621486"), luhn("79927398710"));
    return luhn("79927398713");
}
