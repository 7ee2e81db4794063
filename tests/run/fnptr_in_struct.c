//! Object-style structures holding method pointers and a virtual table.
#include <stdio.h>

struct shape;
struct vtable { const char *name; double (*area)(const struct shape *); void (*scale)(struct shape *, double); };
struct shape { const struct vtable *vt; double p[3]; };

static double rect_area(const struct shape *s) { return s->p[0] * s->p[1]; }
static double tri_area(const struct shape *s) { return s->p[0] * s->p[1] / 2; }
static double disc_area(const struct shape *s) { return 3.0 * s->p[0] * s->p[0]; }
static void scale2(struct shape *s, double k) { s->p[0] *= k; s->p[1] *= k; }
static void scale1(struct shape *s, double k) { s->p[0] *= k; }
static const struct vtable rect = {"rect", rect_area, scale2}, tri = {"tri", tri_area, scale2}, disc = {"disc", disc_area, scale1};

struct counter { int value; int (*step)(struct counter *, int); struct counter *(*self)(struct counter *); };
static int up(struct counter *c, int by) { return c->value += by; }
static int down(struct counter *c, int by) { c->step = up; return c->value -= by; }
static struct counter *self(struct counter *c) { return c; }

int main(void) {
    struct shape s[] = {{&rect, {3, 4}}, {&tri, {3, 4}}, {&disc, {2}}, {&rect, {0.5, 0.25}}};
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        printf("%s %g\n", s[i].vt->name, s[i].vt->area(&s[i]));
        s[i].vt->scale(&s[i], i + 1.5);
        sum += s[i].vt->area(s + i);
    }
    printf("%g\n", sum);
    s[0].vt = &tri; printf("%g %s\n", s[0].vt->area(s), s[0].vt->name);
    struct counter c = {10, down, self};
    printf("%d ", c.step(&c, 3)); printf("%d ", c.step(&c, 3)); printf("%d\n", c.self(&c)->self(&c)->step(&c, 100));
    struct counter arr[3] = {{0, up, self}, {1, down, self}, {2, up, self}};
    for (int r = 0; r < 2; r++) for (int i = 0; i < 3; i++) printf("%d ", arr[i].step(&arr[i], 5));
    printf("\n");
    return c.value;
}
