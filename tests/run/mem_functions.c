//! memcpy, memset, memcmp and memchr at every small size and offset.
#include <stdio.h>
#include <string.h>

static unsigned h(const unsigned char *p, int n) { unsigned x = 1; while (n--) x = x * 33 + *p++; return x; }

int main(void) {
    unsigned char a[80], b[80]; unsigned total = 0;
    for (int n = 0; n <= 40; n++) for (int o = 0; o < 9; o += 3) {
        for (int i = 0; i < 80; i++) { a[i] = (unsigned char)(i * 7 + n); b[i] = 0xcc; }
        void *r = memcpy(b + o, a + 5, (size_t)n); total = total * 3 + h(b, 80) + (r == b + o);
        memset(b + 2, o * 50 + 300, (size_t)n); total += h(b, 80);
    }
    printf("%u\n", total);
    printf("%d %d %d %d\n", memcmp("abc", "abd", 3) < 0, memcmp("abc", "abd", 2), memcmp("\xff", "\x01", 1) > 0, memcmp("x", "y", 0));
    printf("%d %d\n", memcmp("a\0b", "a\0c", 3) < 0, memcmp("same", "same", 5));
    const char *s = "find\0the byte";
    printf("%d %d %d\n", (int)((char *)memchr(s, 'b', 13) - s), (int)((char *)memchr(s, 0, 13) - s), memchr(s, 'z', 13) == 0);
    printf("%d %d\n", memchr(s, 'f', 0) == 0, (int)((char *)memchr("\x01\xff\x02", -1, 3) - (char *)memchr("\x01\xff\x02", -1, 3)));
    int v[16]; memset(v, 0xff, sizeof v); int k = 0; for (int i = 0; i < 16; i++) k += v[i]; printf("%d\n", k);
    memset(v, 0, sizeof v);
    v[3] = 9;
    int w[16];
    memcpy(w, v, sizeof v);
    printf("%d %d\n", w[3], memcmp(v, w, sizeof v));
    w[15]++; printf("%d %d\n", memcmp(v, w, sizeof v) < 0, memcmp(v, w, sizeof v - sizeof *v));
    double d = 3.25, e; memcpy(&e, &d, sizeof d); printf("%g\n", e);
    struct { char c; long l; } x, y;
    memset(&x, 0, sizeof x);
    memset(&y, 0, sizeof y);
    x.c = y.c = 'q';
    x.l = y.l = -5;
    printf("%d\n", memcmp(&x, &y, sizeof x));
    y.l++;
    printf("%d\n", memcmp(&x, &y, sizeof x) != 0);
    static unsigned char big1[5000], big2[5000];
    for (int i = 0; i < 5000; i++) big1[i] = (unsigned char)(i % 251);
    memcpy(big2, big1, 5000);
    printf("%d %u\n", memcmp(big1, big2, 5000), h(big2, 5000));
    memset(big1 + 17, 4, 4001);
    printf("%u\n", h(big1, 5000));
    return 0;
}
