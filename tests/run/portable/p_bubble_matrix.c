//! Sorting algorithms and fixed-point matrix work on small arrays.
#include <stdio.h>
#include <stdint.h>
#include <string.h>
static void ins(int16_t *v, int n) {
    for (int i = 1; i < n; i++) {
        int16_t x = v[i];
        int j = i;
        while (j && v[j - 1] > x) { v[j] = v[j - 1]; j--; }
        v[j] = x;
    }
}
static void quick(int16_t *v, int lo, int hi) {
    if (lo >= hi) return;
    int16_t p = v[(lo + hi) / 2];
    int i = lo, j = hi;
    while (i <= j) {
        while (v[i] < p) i++;
        while (v[j] > p) j--;
        if (i <= j) { int16_t t = v[i]; v[i++] = v[j]; v[j--] = t; }
    }
    quick(v, lo, j);
    quick(v, i, hi);
}
static int32_t q8(int32_t a, int32_t b) { return a * b / 256; }
int main(void) {
    int16_t a[40], b[40];
    uint32_t s = 7;
    for (int i = 0; i < 40; i++) {
        s = s * UINT32_C(1103515245) + 12345u;
        a[i] = b[i] = (int16_t)((int32_t)(s >> 16 & 0x7fff) - 16384);
    }
    ins(a, 40);
    quick(b, 0, 39);
    printf("%d %d %d %d\n", memcmp(a, b, sizeof a), a[0], a[20], a[39]);
    int32_t m[3][3] = {{256, 128, 0}, {-64, 300, 25}, {10, -10, 512}}, r[3][3];
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) {
            r[i][j] = 0;
            for (int x = 0; x < 3; x++) r[i][j] += q8(m[i][x], m[x][j]);
        }
        memcpy(m, r, sizeof m);
    }
    for (int i = 0; i < 9; i++) printf("%ld ", (long)m[i / 3][i % 3]);
    printf("\n");
    uint8_t sieve[125] = {0};
    int c = 0;
    for (int i = 2; i < 1000; i++) {
        if (sieve[i / 8] & (1u << i % 8)) continue;
        c++;
        for (int j = i * 2; j < 1000; j += i) sieve[j / 8] |= (uint8_t)(1u << j % 8);
    }
    printf("%d\n", c);
    return 0;
}
