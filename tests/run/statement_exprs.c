//! Statement expressions, typeof macros, the comma operator, nested conditionals and elvis.
#include <stdio.h>
#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define SWAP(a, b) do { __typeof__(a) t_ = (a); (a) = (b); (b) = t_; } while (0)
#define CLAMP(x, lo, hi) ({ __auto_type x_ = (x); x_ < (lo) ? (lo) : x_ > (hi) ? (hi) : x_; })
static int trace;
static int t(int v) { trace = trace * 10 + v; return v; }
static const char *size(int n) {
    return n < 0 ? "neg" : n == 0 ? "zero" : n < 10 ? "small" : n < 100 ? "medium" : "large";
}
static int find(const int *v, int n, int x) {
    return ({ int i; for (i = 0; i < n && v[i] != x; i++) {} i < n ? i : -1; });
}
struct s { int a, b; };
int main(void) {
    int i = 3, j = 4;
    int mx = MAX(i++, j++);
    printf("%d %d %d\n", mx, i, j);
    printf("%g\n", MAX(1.5, 2));
    double x = 1, y = 2;
    SWAP(x, y);
    printf("%g %g\n", x, y);
    for (int k = -5; k < 25; k += 5) printf("%d ", CLAMP(k, 0, 12));
    printf("\n");
    static const int ns[] = {-1, 0, 5, 50, 500};
    for (int k = 0; k < 5; k++) printf("%s ", size(ns[k]));
    printf("\n");
    int c = (t(1), t(2), t(3));
    printf("%d %d\n", c, trace);
    trace = 0;
    int r = t(0) ?: t(7);
    r += t(5) ?: t(9);
    printf("%d %d\n", r, trace);
    for (int a = 0, b = 9; a < b; a++, b -= 2) printf("%d%d ", a, b);
    printf("\n");
    struct s v = ({ struct s q = {1, 2}; q.b *= 10; q; });
    printf("%d %d\n", v.a, v.b);
    printf("%d %d\n", find(ns, 5, 50), find(ns, 5, 51));
    int z = ({ goto skip; 1; });
    printf("not reached %d\n", z);
skip: printf("skipped\n");
int n = 0;
while (({ n++; n < 5; })) {}
printf("%d\n", n);
(i > j ? i : j, n) > 3 ? printf("yes\n") : printf("no\n");
*(i > 100 ? &i : &j) = 77;
typeof(int[3]) arr = {1, 2, 3};
typeof(&arr[0]) p = arr;
printf("%d %d %d\n", j, p[2], (int)sizeof(typeof(arr)));
return MAX(c, 40);
}
