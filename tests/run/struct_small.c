//! Small structures of 1 to 16 bytes passed and returned by value.
#include <stdio.h>
#include <stdint.h>

#define DEF(n) struct s##n { uint8_t b[n]; }; \
    static struct s##n rot##n(struct s##n x) { uint8_t t = x.b[0]; for (int i = 0; i + 1 < n; i++) x.b[i] = x.b[i + 1]; x.b[n - 1] = (uint8_t)(t + 1); return x; } \
    static void go##n(void) { struct s##n v; for (int i = 0; i < n; i++) v.b[i] = (uint8_t)(i * 16 + n); v = rot##n(rot##n(v)); printf("%d:", n); for (int i = 0; i < n; i++) printf(" %02x", v.b[i]); printf("\n"); }
DEF(1) DEF(2) DEF(3) DEF(4) DEF(5) DEF(6) DEF(7) DEF(8) DEF(9) DEF(11) DEF(12) DEF(13) DEF(15) DEF(16) DEF(17)

struct pt { int x, y; };
struct cs { char c; short s; };
struct il { int i; long l; };
static struct pt addp(struct pt a, struct pt b) { return (struct pt){a.x + b.x, a.y + b.y}; }
static struct cs mk(int c, int s) { struct cs r = {(char)c, (short)s}; return r; }
static struct il conv(struct cs v, struct pt p) { struct il r; r.i = v.c + p.x; r.l = (long)v.s * p.y; return r; }

int main(void) {
    go1(); go2(); go3(); go4(); go5(); go6(); go7(); go8(); go9(); go11(); go12(); go13(); go15(); go16(); go17();
    struct pt p = addp((struct pt){1, 2}, (struct pt){-10, 20}); printf("%d %d\n", p.x, p.y);
    struct il r = conv(mk('A', -300), p); printf("%d %ld\n", r.i, r.l);
    struct pt orig = {5, 6}, copy = addp(orig, orig); copy.x++; printf("%d %d %d %d\n", orig.x, orig.y, copy.x, copy.y);
    printf("%d\n", addp(addp(p, p), addp(p, orig)).y);
    return mk(9, 0).c;
}
