//! Structures with more alignment than their members ask for, by value in variable arguments.
#include <stdarg.h>
#include <stdio.h>

struct __attribute__((aligned(16))) half_line { int x, y[5]; };
struct __attribute__((aligned(32))) line { int x, y[9]; };
struct __attribute__((aligned(64))) page { char c; };

static int sum(int n, ...) {
    va_list list;
    va_start(list, n);
    struct line a = va_arg(list, struct line);
    int i = va_arg(list, int);
    struct half_line b = va_arg(list, struct half_line);
    double d = va_arg(list, double);
    struct page c = va_arg(list, struct page);
    long long last = va_arg(list, long long);
    va_end(list);
    return n + a.x + a.y[8] * 2 + i + b.x + b.y[4] * 3 + (int)d + c.c + (int)last;
}

static int aligned(struct line a, int n, struct page c) {
    return (int)((unsigned long)&a % 32 + (unsigned long)&c % 64) + a.y[8] + n + c.c;
}

int main(void) {
    struct line a = {1, {0, 0, 0, 0, 0, 0, 0, 0, 5}};
    struct half_line b = {7, {0, 0, 0, 0, 9}};
    struct page c = {3};
    printf("%d\n", sum(4, a, 100, b, 2.5, c, 1000000ll));
    printf("%d\n", aligned(a, 20, c));
    return 0;
}
