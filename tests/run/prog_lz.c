//! A small LZ77 compressor and decompressor with round trip check.
#include <stdio.h>
#include <string.h>
#include <stdint.h>

static int comp(const uint8_t *s, int n, uint8_t *o) {
    int i = 0, k = 0;
    while (i < n) {
        int best = 0, dist = 0;
        for (int d = 1; d <= i && d < 256; d++) {
            int l = 0;
            while (l < 66 && i + l < n && s[i + l] == s[i + l - d]) l++;
            if (l > best) { best = l; dist = d; }
        }
        if (best >= 3) { o[k++] = (uint8_t)(0x80 | (best - 3)); o[k++] = (uint8_t)dist; i += best; }
        else {
            int at = k++, run = 0;
            while (i < n && run < 64) {
                int hit = 0;
                if (run) for (int d = 1; d <= i && d < 256 && !hit; d++) {
                    int l = 0;
                    while (l < 3 && i + l < n && s[i + l] == s[i + l - d]) l++;
                    hit = l == 3;
                }
                if (hit) break;
                o[k++] = s[i++];
                run++;
            }
            o[at] = (uint8_t)(run - 1);
        }
    }
    return k;
}
static int expand(const uint8_t *s, int n, uint8_t *o) {
    int k = 0;
    for (int i = 0; i < n;) {
        int c = s[i++];
        if (c & 0x80) {
            int l = (c & 0x7f) + 3, d = s[i++];
            while (l--) { o[k] = o[k - d]; k++; }
        } else { memcpy(o + k, s + i, (size_t)c + 1); k += c + 1; i += c + 1; }
    }
    return k;
}
static void go(const uint8_t *s, int n) {
    static uint8_t c[1200], d[1200];
    int m = comp(s, n, c), r = expand(c, m, d);
    unsigned h = 0;
    for (int i = 0; i < m; i++) h = h * 131 + c[i];
    printf("%d -> %d -> %d same %d hash %u\n", n, m, r, r == n && !memcmp(s, d, (size_t)n), h);
}

int main(void) {
    const char *t = "she sells sea shells by the sea shore; the shells she sells are sea shells";
    go((const uint8_t *)t, (int)strlen(t));
    go((const uint8_t *)"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 32);
    go((const uint8_t *)"x", 1);
    go((const uint8_t *)"", 0);
    uint8_t b[500];
    for (int i = 0; i < 500; i++) b[i] = (uint8_t)(i % 50 < 30 ? i % 7 : i * i);
    go(b, 300);
    unsigned s = 1;
    for (int i = 0; i < 300; i++) { s = s * 69069 + 1; b[i] = (uint8_t)(s >> 24); }
    go(b, 150);
    return 0;
}
