//! COBS framing, run-length, varint, zigzag, UTF-8 and bit-stream codecs with round trips.
#include <stdio.h>
#include <stdint.h>
#include <string.h>
static int cobs(const uint8_t *s, int n, uint8_t *o) {
    int code = 0, k = 1;
    uint8_t c = 1;
    for (int i = 0; i < n; i++) {
        if (s[i]) { o[k++] = s[i]; c++; }
        if (!s[i] || c == 255) { o[code] = c; c = 1; code = k++; }
    }
    o[code] = c;
    return k;
}
static int uncobs(const uint8_t *s, int n, uint8_t *o) {
    int k = 0;
    for (int i = 0; i < n;) {
        uint8_t c = s[i++];
        for (int j = 1; j < c; j++) o[k++] = s[i++];
        if (c < 255 && i < n) o[k++] = 0;
    }
    return k;
}
static int varint(uint64_t v, uint8_t *o) {
    int n = 0;
    do { o[n++] = (uint8_t)((v & 0x7f) | (v > 0x7f ? 0x80 : 0)); v >>= 7; } while (v);
    return n;
}
static uint64_t unvar(const uint8_t *p) {
    uint64_t v = 0;
    int s = 0;
    do v |= (uint64_t)(*p & 0x7f) << s, s += 7; while (*p++ & 0x80);
    return v;
}
static uint64_t zig(int64_t v) { return (uint64_t)v << 1 ^ (uint64_t)(v >> 63); }
static int64_t zag(uint64_t v) { return (int64_t)(v >> 1) ^ -(int64_t)(v & 1); }
static int utf8(uint32_t c, uint8_t *o) {
    if (c < 0x80) { o[0] = (uint8_t)c; return 1; }
    if (c < 0x800) { o[0] = (uint8_t)(0xc0 | c >> 6); o[1] = (uint8_t)(0x80 | (c & 63)); return 2; }
    if (c < 0x10000) {
        o[0] = (uint8_t)(0xe0 | c >> 12);
        o[1] = (uint8_t)(0x80 | (c >> 6 & 63));
        o[2] = (uint8_t)(0x80 | (c & 63));
        return 3;
    }
    o[0] = (uint8_t)(0xf0 | c >> 18);
    o[1] = (uint8_t)(0x80 | (c >> 12 & 63));
    o[2] = (uint8_t)(0x80 | (c >> 6 & 63));
    o[3] = (uint8_t)(0x80 | (c & 63));
    return 4;
}
static uint32_t ununi(const uint8_t *p) {
    if (*p < 0x80) return *p;
    int n = *p >= 0xf0 ? 3 : *p >= 0xe0 ? 2 : 1;
    uint32_t c = *p & (0x3fu >> n);
    while (n--) c = c << 6 | (*++p & 63);
    return c;
}
struct bits { uint8_t b[64]; unsigned at; };
static void wr(struct bits *s, uint32_t v, unsigned n) {
    while (n--) { if (v >> n & 1) s->b[s->at / 8] |= (uint8_t)(0x80 >> s->at % 8); s->at++; }
}
static uint32_t rd(struct bits *s, unsigned n) {
    uint32_t v = 0;
    while (n--) { v = v << 1 | (s->b[s->at / 8] >> (7 - s->at % 8) & 1); s->at++; }
    return v;
}
static void hex(const uint8_t *p, int n) { while (n--) printf("%02x", *p++); printf(" "); }
int main(void) {
    uint8_t a[300], b[320], c[320];
    int bad = 0;
    for (int n = 0; n < 300; n += 13) {
        for (int i = 0; i < n; i++) a[i] = (uint8_t)(i % 7 == 3 && n < 200 ? 0 : i + 1);
        int k = cobs(a, n, b);
        int z = 0;
        for (int i = 0; i < k; i++) z += !b[i];
        bad += z || uncobs(b, k, c) != n || memcmp(a, c, (size_t)n);
    }
    printf("%d ", bad);
    hex(b, 6);
    static const int64_t v[] = {0, 1, -1, 63, -64, 300, -70000, INT64_MAX, INT64_MIN};
    for (int i = 0; i < 9; i++) { int n = varint(zig(v[i]), b); hex(b, n); bad += zag(unvar(b)) != v[i]; }
    printf("%d\n", bad);
    static const uint32_t u[] = {'A', 0x7f, 0x80, 0x7ff, 0x800, 0x20ac, 0xffff, 0x10000, 0x10ffff};
    for (int i = 0; i < 9; i++) { int n = utf8(u[i], b); hex(b, n); bad += ununi(b) != u[i]; }
    printf("%d\n", bad);
    struct bits s = {{0}, 0};
    for (unsigned n = 1; n <= 20; n++) wr(&s, (0x5a5a5a5au >> 3) & ((1u << n) - 1), n);
    hex(s.b, (int)(s.at + 7) / 8);
    s.at = 0;
    for (unsigned n = 1; n <= 20; n++) bad += rd(&s, n) != ((0x5a5a5a5au >> 3) & ((1u << n) - 1));
    printf("%d\n", bad);
    return bad;
}
