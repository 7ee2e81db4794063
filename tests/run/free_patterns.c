//! Allocation and release in many orders with contents checked throughout.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 48
static unsigned char *p[N]; static size_t len[N]; static unsigned seed = 99;
static unsigned rnd(void) { seed = seed * 1103515245u + 12345u; return seed >> 16 & 0x7fff; }
static void take(int i, size_t n) { p[i] = malloc(n); len[i] = n; memset(p[i], i + 1, n); }
static int intact(int i) { for (size_t k = 0; k < len[i]; k++) if (p[i][k] != i + 1) return 0; return 1; }
static void drop(int i) { free(p[i]); p[i] = 0; }

int main(void) {
    int bad = 0;
    for (int i = 0; i < N; i++) take(i, 8 + (size_t)i * 5);
    for (int i = 0; i < N; i += 2) { bad += !intact(i); drop(i); }
    for (int i = 0; i < N; i += 2) take(i, 3 + (size_t)i);
    for (int i = N - 1; i >= 0; i--) { bad += !intact(i); drop(i); }
    printf("%d\n", bad);
    int ops = 0; size_t live = 0, peak = 0;
    for (int r = 0; r < 700; r++) {
        int i = (int)(rnd() % N);
        if (p[i]) {
            bad += !intact(i);
            live -= len[i];
            drop(i);
        } else { take(i, rnd() % 300 + 1); live += len[i]; ops++; }
        if (live > peak) peak = live;
    }
    printf("%d %d %d\n", bad, ops, (int)peak);
    for (int i = 0; i < N; i++) if (p[i]) { bad += !intact(i); drop(i); }
    for (int r = 0; r < 60; r++) {
        char *a = malloc(1000), *b = malloc(2000);
        memset(a, r, 1000);
        memset(b, r + 1, 2000);
        bad += a[999] != (char)r;
        free(r & 1 ? a : b);
        free(r & 1 ? b : a);
    }
    int *x = malloc(sizeof *x), *y = malloc(sizeof *y);
    *x = 1;
    *y = 2;
    printf("%d %d\n", x != y, *x + *y);
    free(y);
    free(x);
    void *al = aligned_alloc(64, 128); printf("%d\n", (int)((unsigned long)al & 63)); free(al);
    return bad;
}
