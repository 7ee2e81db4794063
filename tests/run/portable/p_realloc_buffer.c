//! A growing buffer by realloc within 1 KB and pattern checks.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
int main(void) {
    uint8_t *p = 0;
    uint16_t cap = 0, n = 0;
    int grows = 0;
    for (int i = 0; i < 500; i++) {
        if (n == cap) {
            cap = cap ? (uint16_t)(cap * 2u) : 8;
            p = realloc(p, cap);
            if (!p) { printf("no memory\n"); return 1; }
            grows++;
        }
        p[n++] = (uint8_t)(i ^ (i >> 3));
    }
    uint32_t h = 0;
    for (uint16_t i = 0; i < n; i++) h = h * 31u + p[i];
    printf("%u %u %d %ld\n", n, cap, grows, (long)(h & 0x7fffffffu));
    p = realloc(p, 16);
    h = 0;
    for (int i = 0; i < 16; i++) h = h * 31u + p[i];
    printf("%ld\n", (long)(h & 0x7fffffffu));
    free(p);
    for (int r = 0; r < 100; r++) {
        char *a = malloc(300), *b = malloc(500), *c = malloc((size_t)(r * 7 + 1));
        if (!a || !b || !c) { printf("leak at %d\n", r); return 1; }
        memset(a, 'a', 300);
        memset(b, 'b', 500);
        c[0] = (char)('A' + r % 26);
        if (a[299] != 'a' || b[0] != 'b') printf("clobbered\n");
        if (r % 25 == 0) putchar(c[0]);
        free(b);
        free(a);
        free(c);
    }
    printf("\n");
    return 0;
}
