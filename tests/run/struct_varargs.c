//! Structures of several sizes and kinds passed through variadic functions.
#include <stdio.h>
#include <stdarg.h>

struct s4 { int a; }; struct s8 { float x, y; }; struct s12 { int a, b, c; }; struct s16 { double d; long l; };
struct s3 { char c[3]; }; struct s40 { double v[5]; }; struct s24 { long a; char t; double z; };

static void show(const char *kinds, ...) {
    va_list ap; va_start(ap, kinds);
    for (; *kinds; kinds++) switch (*kinds) {
    case 'i': printf("i%d ", va_arg(ap, int)); break;
    case 'd': printf("d%g ", va_arg(ap, double)); break;
    case '3': { struct s3 s = va_arg(ap, struct s3); printf("[%d %d %d] ", s.c[0], s.c[1], s.c[2]); break; }
    case '4': { struct s4 s = va_arg(ap, struct s4); printf("[%d] ", s.a); break; }
    case '8': { struct s8 s = va_arg(ap, struct s8); printf("[%g %g] ", (double)s.x, (double)s.y); break; }
    case 'c': { struct s12 s = va_arg(ap, struct s12); printf("[%d %d %d] ", s.a, s.b, s.c); break; }
    case 'g': { struct s16 s = va_arg(ap, struct s16); printf("[%g %ld] ", s.d, s.l); break; }
    case 'o': { struct s24 s = va_arg(ap, struct s24); printf("[%ld %d %g] ", s.a, s.t, s.z); break; }
    case 'L': { struct s40 s = va_arg(ap, struct s40); printf("[%g %g %g] ", s.v[0], s.v[2], s.v[4]); break; }
    }
    va_end(ap); printf("\n");
}

int main(void) {
    struct s3 a = {{1, -2, 3}}; struct s4 b = {44}; struct s8 c = {0.5f, -8}; struct s12 d = {7, 8, 9};
    struct s16 e = {2.25, -6}; struct s40 f = {{1, 2, 3, 4, 5}}; struct s24 g = {-100, 't', 1e-3};
    show("i3i4i8", 1, a, 2, b, 3, c);
    show("dcdgdL", 1.5, d, 2.5, e, 3.5, f);
    show("gggggg", e, e, e, e, e, e);
    show("88888888888i", c, c, c, c, c, c, c, c, c, c, c, 5);
    show("iiiiiicioLd4", 1, 2, 3, 4, 5, 6, d, 7, g, f, 9.75, b);
    show("Lo3L", f, g, a, f);
    show("");
    return 0;
}
