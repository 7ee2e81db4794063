//! Old-style function definitions, implicit promotions through them and unprototyped declarations.
//@ flags: -std=gnu17 -Wno-deprecated-non-prototype -Wno-strict-prototypes
#include <stdio.h>
int add(a, b) int a, b; { return a + b; }
double scale(x, k, n) double x; float k; short n; { return x * k + n; }
char *pick(v, i) char **v; int i; { return v[i]; }
static int apply(f, x) int (*f)(); int x; { return f(x, x); }
struct p { int x, y; }; struct p mk(a, b) int a; int b; { struct p r; r.x = a; r.y = b; return r; }
static int narrow(c, uc, s) signed char c; unsigned char uc; unsigned short s; { return c * 100000 + uc * 100 + s; }
int sum(v, n) int v[]; int n; { int s = 0; while (n--) s += *v++; return s; }
void nothing() { printf("nothing\n"); }
int main() {
    char *w[2];
    int arr[3];
    w[0] = "zero";
    w[1] = "one";
    arr[0] = 1;
    arr[1] = 2;
    arr[2] = 4;
    printf("%d %g %s\n", add(2, 3), scale(2.0, 0.5, 7), pick(w, 1));
    printf("%d %d %d\n", apply(add, 21), mk(3, 4).y, narrow(-1, 200, 77));
    printf("%d\n", sum(arr, 3));
    nothing();
    return add(1, 1);
}
