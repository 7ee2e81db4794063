//! Explicitly signed and unsigned chars in tables, comparisons, extension and indexing.
#include <stdio.h>
#include <string.h>

int main(void) {
    signed char s = (signed char)0xe9; unsigned char u = 0xe9;
    printf("%d %d %d %d\n", s, u, s == u, (unsigned char)s == u);
    printf("%d %d %d\n", s >> 4, u >> 4, (int)((unsigned)u << 24 >> 24 == 0xe9));
    int count[256] = {0};
    const unsigned char text[] = "na\xc3\xafve \xe2\x82\xac caf\xc3\xa9";
    for (const unsigned char *p = text; *p; p++) count[*p]++;
    for (int i = 0; i < 256; i++) if (count[i]) printf("%02x:%d ", i, count[i]);
    printf("\n");
    int chars = 0; for (const unsigned char *p = text; *p; p++) chars += (*p & 0xc0) != 0x80;
    printf("%d bytes %d characters\n", (int)strlen((const char *)text), chars);
    signed char tab[] = {-128, -1, 0, 1, 127};
    unsigned sum = 0; int ssum = 0;
    for (int i = 0; i < 5; i++) { sum += (unsigned char)tab[i]; ssum += tab[i]; }
    printf("%u %d\n", sum, ssum);
    for (int c = 'A'; c <= 'z'; c += 7) printf("%c%d ", c, c);
    printf("\n");
    printf("%d %d %d %d\n", '\0', '\n', '\x7f', '\101');
    printf("%d\n", (int)sizeof('a'));
    unsigned char w = 0; signed char v = 0; int n = 0;
    do { w++; v = (signed char)w; n += v < 0; } while (w);
    printf("%d\n", n);
    return u;
}
