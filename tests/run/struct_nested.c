//! Nested and anonymous structures, arrays of structures, and deep member access.
#include <stdio.h>

struct vec { short x, y; };
struct box { struct vec lo, hi; struct { unsigned char r, g, b; } col; };
struct scene { int n; struct box items[4]; union { int i; float f; }; struct { struct { int deep; } in[2]; } out; };

static int area(struct box b) { return (b.hi.x - b.lo.x) * (b.hi.y - b.lo.y); }
static struct box join(struct box a, const struct box *b) {
    if (b->lo.x < a.lo.x) a.lo.x = b->lo.x;
    if (b->lo.y < a.lo.y) a.lo.y = b->lo.y;
    if (b->hi.x > a.hi.x) a.hi.x = b->hi.x;
    if (b->hi.y > a.hi.y) a.hi.y = b->hi.y;
    a.col.r ^= b->col.r; a.col.g += b->col.g; a.col.b |= b->col.b;
    return a;
}
static struct scene build(void) {
    struct scene s = {.n = 3, .items = {{{0, 0}, {4, 3}, {255, 1, 2}}, {{-5, 2}, {1, 9}, {15, 200, 4}}, [2].hi = {2, 2}, [2].col.g = 100}};
    s.i = 42; s.out.in[1].deep = 77;
    return s;
}

int main(void) {
    struct scene s = build();
    struct box all = s.items[0];
    for (int i = 0; i < s.n; i++) { printf("%d ", area(s.items[i])); all = join(all, &s.items[i]); }
    printf("\n%d %d %d %d | %d %d %d\n", all.lo.x, all.lo.y, all.hi.x, all.hi.y, all.col.r, all.col.g, all.col.b);
    printf("%d %d %d %d\n", s.i, s.out.in[0].deep, s.out.in[1].deep, s.items[3].hi.x);
    s.f = 1.5f; printf("%g\n", (double)s.f);
    struct scene t = s; t.items[1].lo.y = -1; t.out.in[0].deep = t.out.in[1].deep++;
    printf("%d %d %d %d\n", s.items[1].lo.y, t.items[1].lo.y, t.out.in[0].deep, t.out.in[1].deep);
    struct vec *pv = &t.items[2].hi;
    pv->x *= 7;
    pv[-1].y = 3;
    printf("%d %d %d\n", t.items[2].hi.x, t.items[2].lo.y, area(t.items[2]));
    printf("%d %d\n", (int)sizeof(struct box), (int)sizeof(struct scene));
    return build().out.in[1].deep;
}
