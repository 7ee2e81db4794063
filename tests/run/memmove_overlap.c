//! memmove with every kind of overlap, compared with a byte-by-byte model.
#include <stdio.h>
#include <string.h>

static void model(unsigned char *d, const unsigned char *s, int n) {
    unsigned char t[64];
    for (int i = 0; i < n; i++) t[i] = s[i];
    for (int i = 0; i < n; i++) d[i] = t[i];
}

int main(void) {
    unsigned char a[64], b[64]; int bad = 0; unsigned h = 0;
    for (int d = 0; d < 24; d += 3) for (int s = 0; s < 24; s += 4) for (int n = 0; n <= 33; n += 4) {
        for (int i = 0; i < 64; i++) a[i] = b[i] = (unsigned char)(i * 3 + 1);
        bad += memmove(a + d, a + s, (size_t)n) != a + d;
        model(b + d, b + s, n);
        bad += memcmp(a, b, 64) != 0;
        h = h * 31 + a[d] + a[(d + n) % 64];
    }
    printf("%d %u\n", bad, h);
    char text[40] = "shift this text right"; memmove(text + 5, text, strlen(text) + 1); printf("%s\n", text);
    memmove(text, text + 11, strlen(text + 11) + 1); printf("%s\n", text);
    int v[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    memmove(v + 1, v, 9 * sizeof *v);
    memmove(v + 4, v + 6, 4 * sizeof *v);
    for (int i = 0; i < 10; i++) printf("%d ", v[i]);
    printf("\n");
    struct p { int a, b; } r[4] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
    memmove(r, r + 1, 3 * sizeof *r);
    memmove(r + 2, r + 1, sizeof *r);
    for (int i = 0; i < 4; i++) printf("%d%d ", r[i].a, r[i].b);
    printf("\n");
    return bad;
}
