//! Naive, Horspool and Knuth-Morris-Pratt searches through a generated log text, repeated.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifndef TEXT_LEN
#define TEXT_LEN 32768
#endif
#ifndef ROUNDS
#define ROUNDS 6
#endif

static char text[TEXT_LEN + 1];

static const char *const words[] = {"boot ", "sensor ", "error ", "timeout ", "adc=", "temp ", "ok\n", "warning ",
                                    "battery low ", "reset ", "uart ", "0x1f ", "retry ", "done\n", "radio ", "sleep "};
static const char *const needles[] = {"battery low error", "reset done", "sleep radio retry", "adc=temp ok", "zzz", "r"};

static void build_text(void) {
    uint32_t seed = 42;
    size_t n = 0;
    while (n < TEXT_LEN) {
        seed = seed * 1103515245u + 12345u;
        const char *w = words[(seed >> 20) & 15u];
        while (*w && n < TEXT_LEN)
            text[n++] = *w++;
    }
    text[n] = 0;
}

static int count_naive(const char *t, int n, const char *p, int m) {
    int hits = 0;
    for (int i = 0; i + m <= n; i++) {
        int j = 0;
        while (j < m && t[i + j] == p[j])
            j++;
        hits += j == m;
    }
    return hits;
}

static int count_horspool(const char *t, int n, const char *p, int m) {
    int shift[256], hits = 0;
    for (int i = 0; i < 256; i++)
        shift[i] = m;
    for (int i = 0; i + 1 < m; i++)
        shift[(uint8_t)p[i]] = m - 1 - i;
    for (int i = 0; i + m <= n; i += shift[(uint8_t)t[i + m - 1]]) {
        int j = m - 1;
        while (j >= 0 && t[i + j] == p[j])
            j--;
        hits += j < 0;
    }
    return hits;
}

static int count_kmp(const char *t, int n, const char *p, int m) {
    int fail[64], hits = 0;
    fail[0] = 0;
    for (int i = 1, k = 0; i < m; i++) {
        while (k && p[i] != p[k])
            k = fail[k - 1];
        k += p[i] == p[k];
        fail[i] = k;
    }
    for (int i = 0, k = 0; i < n; i++) {
        while (k && (k == m || t[i] != p[k]))
            k = fail[k - 1];
        k += t[i] == p[k];
        hits += k == m;
    }
    return hits;
}

int main(void) {
    uint32_t sum = 0;
    build_text();
    for (int r = 0; r < ROUNDS; r++) {
        for (unsigned i = 0; i < sizeof needles / sizeof *needles; i++) {
            const char *p = needles[i];
            int m = (int)strlen(p);
            sum = sum * 31u + (uint32_t)count_naive(text, TEXT_LEN, p, m);
            sum = sum * 31u + (uint32_t)count_horspool(text, TEXT_LEN, p, m);
            sum = sum * 31u + (uint32_t)count_kmp(text, TEXT_LEN, p, m);
        }
        for (int i = r; i < TEXT_LEN; i += 257)
            text[i] = 'r';
    }
    printf("strsearch %08lx\n", (unsigned long)sum);
    return 0;
}
