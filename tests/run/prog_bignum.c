//! Arbitrary precision integers: factorials, powers, Fibonacci numbers and division by a small number.
#include <stdio.h>
#include <stdint.h>
#include <string.h>
#define W 40
typedef struct { uint32_t d[W]; int n; } big;
static big from(uint32_t v) { big b = {{0}, 1}; b.d[0] = v; return b; }
static big add(big a, const big *b) {
    uint64_t c = 0;
    int n = a.n > b->n ? a.n : b->n;
    for (int i = 0; i < n; i++) { c += (uint64_t)a.d[i] + b->d[i]; a.d[i] = (uint32_t)c; c >>= 32; }
    if (c) a.d[n++] = (uint32_t)c;
    a.n = n;
    return a;
}
static void muls(big *a, uint32_t k) {
    uint64_t c = 0;
    for (int i = 0; i < a->n; i++) { c += (uint64_t)a->d[i] * k; a->d[i] = (uint32_t)c; c >>= 32; }
    if (c) a->d[a->n++] = (uint32_t)c;
}
static uint32_t divs(big *a, uint32_t k) {
    uint64_t r = 0;
    for (int i = a->n - 1; i >= 0; i--) { r = r << 32 | a->d[i]; a->d[i] = (uint32_t)(r / k); r %= k; }
    while (a->n > 1 && !a->d[a->n - 1]) a->n--;
    return (uint32_t)r;
}
static big mul(const big *a, const big *b) {
    big r = {{0}, a->n + b->n};
    for (int i = 0; i < a->n; i++) {
        uint64_t c = 0;
        for (int j = 0; j < b->n; j++) {
            c += (uint64_t)a->d[i] * b->d[j] + r.d[i + j];
            r.d[i + j] = (uint32_t)c;
            c >>= 32;
        }
        r.d[i + b->n] = (uint32_t)c;
    }
    while (r.n > 1 && !r.d[r.n - 1]) r.n--;
    return r;
}
static void show(big a) {
    uint32_t p[W * 2];
    int n = 0;
    while (a.n > 1 || a.d[0]) p[n++] = divs(&a, 1000000000);
    if (!n) p[n++] = 0;
    printf("%u", p[--n]);
    while (n) printf("%09u", p[--n]);
    printf("\n");
}

int main(void) {
    big f = from(1);
    for (uint32_t i = 2; i <= 100; i++) muls(&f, i);
    show(f);
    big a = from(0), b = from(1);
    for (int i = 0; i < 300; i++) { big t = add(a, &b); a = b; b = t; }
    show(a);
    big p = from(3);
    for (int i = 0; i < 8; i++) p = mul(&p, &p);
    show(p);
    printf("%u\n", divs(&p, 1000003));
    big s = from(0xffffffffu);
    s = mul(&s, &s);
    s = mul(&s, &s);
    show(s);
    for (uint32_t i = 100; i > 1; i--) divs(&f, i);
    show(f);
    return f.n;
}
