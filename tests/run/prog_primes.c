//! Sieve, trial factorisation, Miller-Rabin and modular inverses.
#include <stdio.h>
#include <stdint.h>
static uint64_t mulmod(uint64_t a, uint64_t b, uint64_t m) { return (uint64_t)((unsigned __int128)a * b % m); }
static uint64_t powmod(uint64_t b, uint64_t e, uint64_t m) {
    uint64_t r = 1;
    for (b %= m; e; e >>= 1) { if (e & 1) r = mulmod(r, b, m); b = mulmod(b, b, m); }
    return r;
}
static int prime(uint64_t n) {
    static const uint64_t w[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
    if (n < 2) return 0;
    for (int i = 0; i < 12; i++) if (n % w[i] == 0) return n == w[i];
    uint64_t d = n - 1;
    int s = 0;
    while (!(d & 1)) { d >>= 1; s++; }
    for (int i = 0; i < 12; i++) {
        uint64_t x = powmod(w[i], d, n);
        if (x == 1 || x == n - 1) continue;
        int k = 1;
        for (; k < s; k++) { x = mulmod(x, x, n); if (x == n - 1) break; }
        if (k == s) return 0;
    }
    return 1;
}
static void factor(unsigned n) {
    printf("%u =", n);
    for (unsigned p = 2; p * p <= n; p++) while (n % p == 0) { printf(" %u", p); n /= p; }
    if (n > 1) printf(" %u", n);
    printf("\n");
}
static long inverse(long a, long m) {
    long t = 0, nt = 1, r = m, nr = a;
    while (nr) { long q = r / nr, x = t - q * nt; t = nt; nt = x; x = r - q * nr; r = nr; nr = x; }
    return t < 0 ? t + m : t;
}

int main(void) {
    static uint8_t c[2500];
    int n = 0;
    for (int i = 2; i < 10000; i++) {
        if (c[i / 8] >> i % 8 & 1) continue;
        n++;
        for (int j = i * 2; j < 10000; j += i) c[j / 8] |= (uint8_t)(1 << j % 8);
    }
    printf("%d\n", n);
    factor(360);
    factor(97);
    factor(999999);
    factor(1234567890);
    printf("%d %d %d %d\n", prime(18446744073709551557ull), prime(561), prime(1000000007), prime(3215031751u));
    printf("%ld %ld\n", inverse(3, 11), inverse(1234, 1000000007));
    int tw = 0;
    for (uint64_t p = 3; p < 600; p += 2) tw += prime(p) && prime(p + 2);
    printf("%d %llu\n", tw, (unsigned long long)powmod(7, 1000000, 998244353));
    return tw;
}
