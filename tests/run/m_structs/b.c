//! Structures by value, varargs and static constructors across files (library part).
#include <stdarg.h>
#include "types.h"
const float quarter = 0.25f;
const char version[] = "v1.2";
__attribute__((constructor(301))) static void mid(void) { note(2); }
struct vec mk(double x, double y, double z) { return (struct vec){x, y, z}; }
struct vec add(struct vec a, struct vec b) { return mk(a.x + b.x, a.y + b.y, a.z + b.z); }
struct small flip(struct small s) { short t = s.a; s.a = s.b; s.b = t; s.c ^= 0x20; return s; }
double sum(int n, ...) {
    va_list ap;
    va_start(ap, n);
    double t = 0;
    while (n--) { struct vec v = va_arg(ap, struct vec); t = t * 2 + v.x + v.y + v.z; }
    va_end(ap);
    return t;
}
struct deck shuffled(unsigned s) {
    struct deck d;
    for (int i = 0; i < 52; i++) d.cards[i] = i;
    for (int i = 51; i; i--) {
        s = s * 1103515245u + 12345u;
        int j = (int)(s >> 16) % (i + 1), t = d.cards[i];
        d.cards[i] = d.cards[j];
        d.cards[j] = t;
    }
    return d;
}
int checksum(struct deck d) { int t = 0; for (int i = 0; i < 52; i++) t += d.cards[i] * (i + 1); return t; }
