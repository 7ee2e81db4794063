//! Structures holding floats and doubles, mixed with integers, passed and returned by value.
#include <stdio.h>

struct f1 { float a; }; struct f2 { float a, b; }; struct f3 { float a, b, c; }; struct f4 { float v[4]; };
struct d1 { double a; }; struct d2 { double a, b; }; struct d3 { double a, b, c; };
struct fi { float f; int i; };
struct di { double d; int i; };
struct id { int i; double d; };
struct ffd { float a, b; double d; };
struct cf { char c; float f; }; struct mixed { short s; float f; char c; double d; };

static struct f1 a1(struct f1 x) { x.a += 0.5f; return x; }
static struct f2 a2(struct f2 x, float k) { return (struct f2){x.b * k, x.a * k}; }
static struct f3 a3(struct f3 x, struct f1 y) { x.a += y.a; x.b -= y.a; x.c *= y.a; return x; }
static struct f4 a4(struct f4 x, struct f4 y) { for (int i = 0; i < 4; i++) x.v[i] += y.v[3 - i]; return x; }
static struct d1 b1(struct d1 x) { x.a *= x.a; return x; }
static struct d2 b2(struct d2 x, struct d2 y) { return (struct d2){x.a * y.a - x.b * y.b, x.a * y.b + x.b * y.a}; }
static struct d3 b3(struct d3 x, double k) { x.a *= k; x.b *= k; x.c *= k; return x; }
static struct fi c1(struct fi x) { return (struct fi){(float)x.i, (int)x.f}; }
static struct di c2(struct id x) { return (struct di){x.d + x.i, x.i * 2}; }
static struct ffd c3(struct ffd x, struct cf y, struct mixed m) {
    x.a += y.f;
    x.b += y.c;
    x.d += m.s + m.f + m.c + m.d;
    return x;
}
static double many(double a, struct d2 p, float b, struct f2 q, int i, struct di r, double z) {
    return a + p.a * p.b + b + q.a * q.b + i + r.d * r.i + z;
}

int main(void) {
    printf("%g\n", (double)a1(a1((struct f1){1})).a);
    struct f2 r2 = a2((struct f2){1.5f, -2}, 4); printf("%g %g\n", (double)r2.a, (double)r2.b);
    struct f3 r3 = a3((struct f3){1, 2, 3}, (struct f1){0.25f});
    printf("%g %g %g\n", (double)r3.a, (double)r3.b, (double)r3.c);
    struct f4 r4 = a4((struct f4){{1, 2, 3, 4}}, (struct f4){{10, 20, 30, 40}});
    printf("%g %g %g %g\n", (double)r4.v[0], (double)r4.v[1], (double)r4.v[2], (double)r4.v[3]);
    printf("%g\n", b1(b1((struct d1){3})).a);
    struct d2 z = {0.5, 1}; for (int i = 0; i < 6; i++) z = b2(z, (struct d2){0.5, 1});
    printf("%.10g %.10g\n", z.a, z.b);
    struct d3 t = b3((struct d3){1, 2, 3}, 0.1); printf("%g %g %g\n", t.a, t.b, t.c);
    struct fi fi = c1((struct fi){7.75f, -3}); printf("%g %d\n", (double)fi.f, fi.i);
    struct di di = c2((struct id){4, 0.125}); printf("%g %d\n", di.d, di.i);
    struct ffd f = c3((struct ffd){1, 2, 3}, (struct cf){65, 0.5f}, (struct mixed){-2, 1.5f, 10, 1e3});
    printf("%g %g %g\n", (double)f.a, (double)f.b, f.d);
    printf("%g\n", many(1, (struct d2){2, 3}, 4, (struct f2){5, 6}, 7, (struct di){8, 9}, 10));
    return 0;
}
