//! Volatile objects (read-modify-write, arrays, structure members) and restrict-qualified copies.
#include <stdio.h>
#include <stdint.h>

static volatile uint32_t reg;
static volatile uint8_t fifo[4];
struct dev { volatile uint16_t ctl; const volatile uint16_t stat; uint8_t pad[3]; };
static struct dev dev = {0, 0x8001, {0}};
static void axpy(int n, double k, const double *restrict x, double *restrict y) {
    for (int i = 0; i < n; i++) y[i] += k * x[i];
}
static void addrows(int n, int a[restrict n], const int b[restrict n]) {
    for (int i = 0; i < n; i++) a[i] += b[n - 1 - i];
}
static int spin(volatile int *p) { int n = 0; while (*p) { *p -= 1; n++; } return n; }
static void aliased(int *a, int *b, int *out) { *a = 1; *b = 2; *out = *a * 10 + *b; }

int main(void) {
    reg = 1;
    reg |= 0x80;
    reg <<= 4;
    reg ^= 0xff;
    reg++;
    printf("%x\n", reg);
    for (int i = 0; i < 10; i++) fifo[i % 4] += (uint8_t)(i * 30);
    printf("%d %d %d %d\n", fifo[0], fifo[1], fifo[2], fifo[3]);
    dev.ctl |= 3;
    dev.ctl &= (uint16_t)~1u;
    printf("%x %x\n", dev.ctl, dev.stat);
    volatile int n = 25;
    int spins = spin(&n);
    printf("%d %d\n", spins, n);
    double x[6] = {1, 2, 3, 4, 5, 6}, y[6] = {0};
    axpy(6, 0.5, x, y);
    axpy(5, -1, y, x);
    for (int i = 0; i < 6; i++) printf("%g/%g ", x[i], y[i]);
    printf("\n");
    int a[5] = {1, 2, 3, 4, 5}, b[5] = {10, 20, 30, 40, 50};
    addrows(5, a, b);
    printf("%d %d %d\n", a[0], a[2], a[4]);
    int q, r, o;
    aliased(&q, &r, &o);
    printf("%d ", o);
    aliased(&q, &q, &o);
    printf("%d\n", o);
    volatile double vd = 0.1;
    double d2 = vd + vd + vd;
    printf("%.17g\n", d2);
    volatile struct { int a, b; } vs = {1, 2};
    vs.a = vs.b = vs.a + 5;
    printf("%d %d\n", vs.a, vs.b);
    return (int)reg & 0x7f;
}
