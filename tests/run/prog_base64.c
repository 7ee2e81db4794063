//! Base64 and hex encoding and decoding with round trips of every length.
#include <stdio.h>
#include <string.h>
#include <stdint.h>

static const char A[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static size_t enc(const uint8_t *p, size_t n, char *o) {
    char *s = o;
    for (; n > 2; n -= 3, p += 3) {
        *o++ = A[p[0] >> 2];
        *o++ = A[(p[0] & 3) << 4 | p[1] >> 4];
        *o++ = A[(p[1] & 15) << 2 | p[2] >> 6];
        *o++ = A[p[2] & 63];
    }
    if (n) {
        *o++ = A[p[0] >> 2];
        *o++ = A[(p[0] & 3) << 4 | (n > 1 ? p[1] >> 4 : 0)];
        *o++ = n > 1 ? A[(p[1] & 15) << 2] : '=';
        *o++ = '=';
    }
    *o = 0; return (size_t)(o - s);
}
static int val(char c) { const char *p = c ? strchr(A, c) : 0; return p ? (int)(p - A) : -1; }
static int dec(const char *s, uint8_t *o) {
    int n = 0; unsigned acc = 0, bits = 0;
    for (; *s && *s != '='; s++) {
        int v = val(*s);
        if (v < 0) return -1;
        acc = acc << 6 | (unsigned)v;
        bits += 6;
        if (bits >= 8) { bits -= 8; o[n++] = (uint8_t)(acc >> bits); acc &= (1u << bits) - 1; }
    }
    return n;
}

int main(void) {
    static const char *const t[] = {"", "f", "fo", "foo", "foob", "fooba", "foobar", "Many hands make light work."};
    char e[64];
    uint8_t d[64];
    for (int i = 0; i < 8; i++) {
        enc((const uint8_t *)t[i], strlen(t[i]), e);
        int n = dec(e, d);
        printf("%s %d %.*s\n", e, n, n, (char *)d);
    }
    uint8_t raw[40];
    int bad = 0;
    for (int n = 0; n < 40; n++) {
        for (int i = 0; i < n; i++) raw[i] = (uint8_t)(i * 97 + n * 31);
        size_t l = enc(raw, (size_t)n, e);
        bad += dec(e, d) != n || memcmp(raw, d, (size_t)n) || l != (size_t)(n + 2) / 3 * 4;
    }
    printf("%d %d\n", bad, dec("ab*d", d));
    for (int i = 0; i < 16; i++) printf("%x%x", raw[i] >> 4, raw[i] & 15);
    printf("\n");
    return dec("QUJD", d);
}
