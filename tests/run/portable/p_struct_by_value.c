//! Structures of several shapes passed and returned by value.
#include <stdio.h>
#include <stdint.h>
struct a { uint8_t x; };
struct b { int16_t x, y; };
struct c { uint8_t t; int32_t v; };
struct d { int16_t m[3][3]; };
struct e { double d; uint8_t k; struct b p; };
static struct a fa(struct a s) { s.x = (uint8_t)(s.x * 2u); return s; }
static struct b fb(struct b s, struct b t) { return (struct b){(int16_t)(s.x + t.x), (int16_t)(s.y - t.y)}; }
static struct c fc(uint8_t t, int32_t v) { struct c r = {t, v}; r.v *= 3; return r; }
static struct d mul(struct d a, struct d b) {
    struct d r;
    for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) {
        int16_t s = 0;
        for (int k = 0; k < 3; k++) s = (int16_t)(s + a.m[i][k] * b.m[k][j]);
        r.m[i][j] = s;
    }
    return r;
}
static struct e fe(struct e s) { s.d /= 4; s.k++; s.p = fb(s.p, s.p); return s; }
int main(void) {
    printf("%u\n", fa(fa((struct a){100})).x);
    struct b b = fb((struct b){1, 2}, fb((struct b){10, 20}, (struct b){3, 4}));
    printf("%d %d\n", b.x, b.y);
    struct c c = fc(7, INT32_C(100000));
    printf("%u %ld\n", c.t, (long)c.v);
    struct d m = {{{1, 2, 0}, {0, 1, 3}, {2, 0, 1}}}, p = m;
    for (int i = 0; i < 4; i++) p = mul(p, m);
    for (int i = 0; i < 9; i++) printf("%d ", p.m[i / 3][i % 3]);
    printf("| %d\n", m.m[0][1]);
    struct e e = {3.5, 255, {-5, 6}}, f = fe(e);
    printf("%.3f %u %d %d | %.1f %u\n", f.d, f.k, f.p.x, f.p.y, e.d, e.k);
    struct e arr[2] = {e, f};
    arr[0] = arr[1];
    arr[1].p.x = 99;
    printf("%d %d\n", arr[0].p.x, arr[1].p.x);
    return 0;
}
