//! Variable arguments of every class, before and after registers run out: halves of structures, pairs, vectors.
#include <stdarg.h>
#include <stdio.h>

typedef float quad __attribute__((vector_size(16)));
typedef __int128 wide;

struct __attribute__((aligned(16))) two_words { long long a, b; };
struct mixed { double d; long long i; };
struct floats { float a, b, c; };
struct small { char c[3]; };
struct long_one { int x[7]; };
struct __attribute__((aligned(16))) boxed { wide w; };

struct format { const char *order; };

static void show(const char *order, ...) {
    va_list list, again;
    va_start(list, order);
    va_copy(again, list);
    for (int round = 0; round < 2; round++) {
        va_list *from = round ? &again : &list;
        for (const char *c = order; *c; c++) {
            switch (*c) {
            case 'i': printf(" %d", va_arg(*from, int)); break;
            case 'l': printf(" %lld", va_arg(*from, long long)); break;
            case 'd': printf(" %g", va_arg(*from, double)); break;
            case 'L': printf(" %Lg", va_arg(*from, long double)); break;
            case 'w': {
                wide w = va_arg(*from, wide);
                printf(" %lld:%lld", (long long)(w >> 64), (long long)w);
                break;
            }
            case 't': {
                struct two_words t = va_arg(*from, struct two_words);
                printf(" {%lld,%lld}", t.a, t.b);
                break;
            }
            case 'm': {
                struct mixed m = va_arg(*from, struct mixed);
                printf(" {%g,%lld}", m.d, m.i);
                break;
            }
            case 'f': {
                struct floats f = va_arg(*from, struct floats);
                printf(" {%g,%g,%g}", f.a, f.b, f.c);
                break;
            }
            case 's': {
                struct small s = va_arg(*from, struct small);
                printf(" {%d,%d,%d}", s.c[0], s.c[1], s.c[2]);
                break;
            }
            case 'o': {
                struct long_one o = va_arg(*from, struct long_one);
                printf(" {%d..%d}", o.x[0], o.x[6]);
                break;
            }
            case 'b': {
                struct boxed b = va_arg(*from, struct boxed);
                printf(" {%lld}", (long long)(b.w >> 64));
                break;
            }
            case 'q': {
                quad q = va_arg(*from, quad);
                printf(" <%g,%g>", q[0], q[3]);
                break;
            }
            case 'c': {
                _Complex double c = va_arg(*from, _Complex double);
                printf(" %g+%gi", __real__ c, __imag__ c);
                break;
            }
            }
        }
        printf("\n");
    }
    va_end(again);
    va_end(list);
}

/* Fixed arguments have taken registers of both kinds, and some memory. */
static long long after(int a, struct two_words b, double c, struct long_one d, wide e, ...) {
    va_list list;
    va_start(list, e);
    struct two_words t = va_arg(list, struct two_words);
    int i = va_arg(list, int);
    struct mixed m = va_arg(list, struct mixed);
    wide w = va_arg(list, wide);
    va_end(list);
    return a + b.a + b.b + (long long)c + d.x[6] + (long long)e + t.a * 10 + t.b * 100 + i * 1000 +
           (long long)m.d * 10000 + m.i * 100000 + (long long)w * 1000000;
}

int main(void) {
    struct two_words t = {11, 12};
    struct mixed m = {2.5, 13};
    struct floats f = {1.5f, 2.5f, 3.5f};
    struct small s = {{1, 2, 3}};
    struct long_one o = {{7, 0, 0, 0, 0, 0, 8}};
    struct boxed b = {(wide)21 << 64};
    quad q = {1, 2, 3, 4};
    wide w = ((wide)5 << 64) | 6;
    show("it", 1, t);
    show("itit", 1, t, 2, t);
    show("iiiit" "l", 1, 2, 3, 4, t, 5ll);
    show("iiiiw" "ii", 1, 2, 3, 4, w, 5, 6);
    show("mmmmmm" "md", m, m, m, m, m, m, m, 0.5);
    show("dddddddd" "fmd", 1., 2., 3., 4., 5., 6., 7., 8., f, m, 9.);
    show("sbsbi" "Lwb", s, b, s, b, 1, 2.25L, w, b);
    show("oLoti" "qcq", o, 1.5L, o, t, 3, q, 1.0 + 2.0i, q);
    show("qqqqqqqq" "qdc", q, q, q, q, q, q, q, q, q, 4.5, 3.0 + 4.0i);
    printf("%lld\n", after(1, t, 2.0, o, w, t, 3, m, w));
    void (*volatile indirect)(const char *, ...) = show;
    indirect("tblw", t, b, 9ll, w);
    return 0;
}
