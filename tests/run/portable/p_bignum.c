//! Factorials and Fibonacci numbers with 16-bit digit big integers.
#include <stdio.h>
#include <stdint.h>
#define W 16
struct big { uint16_t d[W]; uint8_t n; };
static void muls(struct big *a, uint16_t k) {
    uint32_t c = 0;
    for (uint8_t i = 0; i < a->n; i++) { c += (uint32_t)a->d[i] * k; a->d[i] = (uint16_t)c; c >>= 16; }
    if (c) a->d[a->n++] = (uint16_t)c;
}
static uint16_t divs(struct big *a, uint16_t k) {
    uint32_t r = 0;
    for (int i = a->n - 1; i >= 0; i--) { r = r << 16 | a->d[i]; a->d[i] = (uint16_t)(r / k); r %= k; }
    while (a->n > 1 && !a->d[a->n - 1]) a->n--;
    return (uint16_t)r;
}
static struct big add(struct big a, struct big b) {
    uint32_t c = 0;
    uint8_t n = a.n > b.n ? a.n : b.n;
    for (uint8_t i = 0; i < n; i++) { c += (uint32_t)a.d[i] + b.d[i]; a.d[i] = (uint16_t)c; c >>= 16; }
    a.n = n;
    if (c) a.d[a.n++] = (uint16_t)c;
    return a;
}
static void show(struct big a) {
    char s[84];
    int i = 83;
    s[i] = 0;
    do s[--i] = (char)('0' + divs(&a, 10)); while (a.n > 1 || a.d[0]);
    printf("%s\n", s + i);
}
int main(void) {
    struct big f = {{1}, 1};
    for (uint16_t i = 2; i <= 40; i++) { muls(&f, i); if (i % 10 == 0) show(f); }
    struct big a = {{0}, 1}, b = {{1}, 1};
    for (int i = 0; i < 150; i++) { struct big t = add(a, b); a = b; b = t; }
    show(a);
    struct big p = {{1}, 1};
    for (int i = 0; i < 200; i++) muls(&p, 2);
    show(p);
    printf("%u\n", divs(&p, 9973));
    return 0;
}
