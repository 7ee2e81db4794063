//! Unions: type punning through members, tagged unions, arrays, and by-value passing.
#include <stdio.h>
#include <stdint.h>

union word { uint32_t u; int32_t s; uint16_t h[2]; uint8_t b[4]; float f; };
enum kind { NUM, STR, PAIR };
struct value { enum kind k; union { long num; const char *str; struct { short a, b; } pair; } u; };
union any { char c; double d; long long ll; char bytes[24]; };

static union word make(float f) { union word w; w.f = f; return w; }
static uint32_t bits(union word w) { return w.u; }
static void show(struct value v) {
    switch (v.k) {
        case NUM: printf("num %ld\n", v.u.num);
        break;
        case STR: printf("str %s\n", v.u.str);
        break;
        case PAIR: printf("pair %d,%d\n", v.u.pair.a, v.u.pair.b);
        break;
    }
}
static struct value pair(int a, int b) { return (struct value){PAIR, {.pair = {(short)a, (short)b}}}; }

int main(void) {
    union word w = {0x80ff7f01u};
    printf("%d %x %x %x %x %x %x\n", w.s, w.h[0], w.h[1], w.b[0], w.b[1], w.b[2], w.b[3]);
    w.h[1] = 0x3f80; w.h[0] = 0; printf("%g\n", (double)w.f);
    w.b[3] |= 0x80; printf("%g %d\n", (double)w.f, w.s);
    printf("%08x %08x %08x\n", bits(make(1.0f)), bits(make(-0.0f)), bits(make(0.1f)));
    struct value vs[] = {{NUM, {-5}}, {STR, {.str = "text"}}, pair(3, -4)};
    for (int i = 0; i < 3; i++) show(vs[i]);
    vs[0] = vs[2]; vs[0].u.pair.b++; show(vs[0]); show(vs[2]);
    printf("%d %d %d\n", (int)sizeof(union word), (int)sizeof(union any), (int)_Alignof(union any));
    union any a; a.ll = 0x3ff8000000000000ll; printf("%g %d\n", a.d, a.bytes[6] & 0xff);
    union any arr[2] = {{.d = 2.0}, {.c = 'q'}}; arr[1] = arr[0]; printf("%g\n", arr[1].d);
    union { struct { uint8_t lo, hi; }; uint16_t v; } reg = {.v = 0xa55a}; reg.hi++; printf("%x %x\n", reg.lo, reg.v);
    return w.b[3];
}
