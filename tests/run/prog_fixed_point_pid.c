//! Q16.16 fixed-point maths, a CORDIC rotation and an integer PID loop.
#include <stdio.h>
#include <stdint.h>
typedef int32_t q16;
static q16 fmul(q16 a, q16 b) { return (q16)((int64_t)a * b >> 16); }
static q16 fdiv(q16 a, q16 b) { return (q16)(((int64_t)a * 65536) / b); }
static q16 q(double d) { return (q16)(d * 65536); }
static q16 fsqrt(q16 v) {
    uint64_t n = (uint64_t)v << 16, r = 0, b = 1ull << 46;
    while (b) { if (n >= r + b) { n -= r + b; r = (r >> 1) + b; } else r >>= 1; b >>= 2; }
    return (q16)r;
}
static const int32_t at[] = {51472, 30386, 16055, 8150, 4091, 2047, 1024, 512, 256, 128, 64, 32, 16, 8, 4, 2};
static void cordic(int32_t ang, int32_t *s, int32_t *c) {
    int32_t x = 39797, y = 0;
    for (int i = 0; i < 16; i++) {
        int32_t dx = y >> i, dy = x >> i;
        if (ang >= 0) { x -= dx; y += dy; ang -= at[i]; } else { x += dx; y -= dy; ang += at[i]; }
    }
    *s = y;
    *c = x;
}
struct pid { int32_t kp, ki, kd, integ, prev; };
static int32_t pid(struct pid *p, int32_t err) {
    p->integ += err;
    if (p->integ > 100000) p->integ = 100000;
    if (p->integ < -100000) p->integ = -100000;
    int32_t d = err - p->prev;
    p->prev = err;
    return (p->kp * err + p->ki * p->integ + p->kd * d) / 256;
}
static void show(q16 v) {
    int64_t u = v < 0 ? -(int64_t)v : v;
    printf("%s%d.%04d ", v < 0 ? "-" : "", (int)(u >> 16), (int)((u & 0xffff) * 10000 >> 16));
}
int main(void) {
    show(fmul(q(1.5), q(-2.25)));
    show(fdiv(q(10), q(3)));
    show(fdiv(q(-1), q(7)));
    show(fsqrt(q(2)));
    show(fsqrt(q(1000)));
    show(q(-0.5));
    printf("\n");
    for (int32_t a = -102944; a <= 102944; a += 25736) { int32_t s, c; cordic(a, &s, &c); printf("%d %d\n", s, c); }
    struct pid p = {180, 12, 60, 0, 0};
    int32_t pos = 0, vel = 0;
    for (int i = 0; i < 60; i++) {
        int32_t u = pid(&p, 1000 - pos);
        vel += u / 8 - vel / 4;
        pos += vel / 4;
        if (i % 6 == 0) printf("%d %d %d\n", i, pos, u);
    }
    return pos > 800 && pos < 1200;
}
