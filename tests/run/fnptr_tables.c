//! Tables of function pointers, const and mutable, one- and two-dimensional.
#include <stdio.h>

typedef int (*binop)(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static int max(int a, int b) { return a > b ? a : b; }

static const struct { const char *name; binop fn; } ops[] = {{"add", add}, {"sub", sub}, {"mul", mul}, {"max", max}};
static binop grid[2][2] = {{add, sub}, {mul, max}};
static double half(double x) { return x / 2; }
static double sq(double x) { return x * x; }
static double (*const dfs[])(double) = {half, sq, half};
static void nop(void) {}
static int count;
static void bump(void) { count++; }
static void (*hooks[8])(void) = {[2] = bump, [5] = nop, [7] = bump};

int main(void) {
    for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++) printf("%s %d\n", ops[i].name, ops[i].fn(9, -4));
    for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) printf("%d ", grid[i][j](i + 5, j + 3));
    printf("\n");
    grid[0][0] = grid[1][0]; printf("%d %d\n", grid[0][0](6, 7), grid[0][0] == mul);
    double x = 10; for (int i = 0; i < 3; i++) x = dfs[i](x);
    printf("%g\n", x);
    for (int r = 0; r < 3; r++) for (int i = 0; i < 8; i++) if (hooks[i]) hooks[i]();
    printf("%d\n", count);
    binop f = add; printf("%d %d %d %d\n", f(1, 2), (*f)(3, 4), (**f)(5, 6), (&add)(7, 8));
    printf("%d %d %d\n", f == add, f != sub, !f);
    int acc = 1; for (int i = 0; i < 12; i++) acc = ops[(acc & 0x7fff) % 4].fn(acc % 1000, i);
    printf("%d\n", acc);
    return ops[1].fn(50, 8);
}
