//! _Generic dispatch on types, qualifiers, pointers, structures and expressions.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

struct a { int x; }; struct b { double y; };
#define NAME(x) _Generic((x), int: "int", unsigned: "unsigned", long: "long", float: "float", double: "double", char *: "char*", const char *: "const char*", void *: "void*", int *: "int*", struct a: "a", struct b: "b", int (*)(int): "fn", default: "?")
static int iabs(int v) { return v < 0 ? -v : v; }
static double dabs(double v) { return v < 0 ? -v : v; }
static long labs_(long v) { return v < 0 ? -v : v; }
#define ABS(x) _Generic((x), int: iabs, long: labs_, default: dabs)(x)
static void pi(int v) { printf("i%d ", v); }
static void pd(double v) { printf("d%g ", v); }
static void ps(const char *s) { printf("s%s ", s); }
#define PRINT(x) _Generic((x), int: pi, double: pd, float: pd, char *: ps, const char *: ps)(x)
#define ISTYPE(x, T) _Generic((x), T: 1, default: 0)

int main(void) {
    int i = 1;
    const int ci = 2;
    char c = 'c';
    short s = 3;
    float f = 1;
    const char *cs = "";
    char *m = 0;
    struct a sa = {1};
    struct b sb = {2};
    int arr[3];
    (void)m;
    (void)sa;
    (void)sb;
    (void)cs;
    (void)ci;
    (void)c;
    (void)s;
    (void)f;
    (void)i;
    (void)arr;
    printf("%s %s %s %s %s %s\n", NAME(i), NAME(ci), NAME(c), NAME(s + s), NAME(f), NAME(f * 2.0));
    printf("%s %s %s %s %s %s\n", NAME(cs), NAME(m), NAME("lit"), NAME((void *)0), NAME(arr), NAME(sa));
    printf("%s %s %s %s\n", NAME(sb), NAME(iabs), NAME(1u), NAME(1 ? 1 : 2l));
    printf("%d %ld %g\n", ABS(-5), ABS(-6l), ABS(-7.5f));
    PRINT(4);
    PRINT(2.5);
    PRINT("str");
    PRINT(1.25f);
    printf("\n");
    printf("%d %d %d\n", ISTYPE(1, int), ISTYPE(1l, int), ISTYPE('a', int));
    int n = 0;
    (void)_Generic(n++, int: 0);
    printf("%d\n", n);
    _Generic(0, int: n, default: sa) = 9;
    return n;
}
