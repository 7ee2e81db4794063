//! Variadic functions with int, long, long long, double and pointer arguments.
#include <stdio.h>
#include <stdarg.h>
#include <stdint.h>
static void show(const char *t, ...) {
    va_list ap;
    va_start(ap, t);
    for (; *t; t++) switch (*t) {
        case 'i': printf("i%d ", va_arg(ap, int));
        break;
        case 'u': printf("u%u ", va_arg(ap, unsigned));
        break;
        case 'l': printf("l%ld ", va_arg(ap, long));
        break;
        case 'q': printf("q%lld ", va_arg(ap, long long));
        break;
        case 'd': printf("d%g ", va_arg(ap, double));
        break;
        case 's': printf("s%s ", va_arg(ap, const char *));
        break;
        case 'p': printf("p%d ", *va_arg(ap, int *));
        break;
        case 'c': printf("c%c ", va_arg(ap, int));
        break;
    }
    va_end(ap);
    printf("\n");
}
static long sum(int n, ...) {
    va_list a, b;
    va_start(a, n);
    va_copy(b, a);
    long s = 0;
    for (int i = 0; i < n; i++) s += va_arg(a, int);
    for (int i = 0; i < n; i++) s = s * 2 + va_arg(b, int);
    va_end(b);
    va_end(a);
    return s;
}
static void fwd(const char *f, ...) {
    va_list ap;
    va_start(ap, f);
    vprintf(f, ap);
    va_end(ap);
    char buf[40];
    va_start(ap, f);
    int n = vsnprintf(buf, sizeof buf, f, ap);
    va_end(ap);
    printf("<%s>%d\n", buf, n);
}
struct pt { int16_t x, y; };
static int pts(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int s = 0;
    while (n--) { struct pt p = va_arg(ap, struct pt); s += p.x * p.y; }
    va_end(ap);
    return s;
}
int main(void) {
    int k = 5;
    show("iulqdspc", -1, 60000u, 100000L, 5000000000LL, 1.5, "str", &k, 'z');
    show("qdqdqd", 1LL, 0.1, -1LL, 0.2, 3LL, 0.3);
    show("cicici", 'a', 1, 'b', 2, 'c', 3);
    printf("%ld\n", sum(5, 1, 2, 3, 4, 5));
    fwd("%d-%s-%ld-%.2f|", 7, "fw", 70000L, 2.345);
    printf("%d\n", pts(3, (struct pt){1, 2}, (struct pt){3, 4}, (struct pt){-5, 6}));
    int8_t c = -3;
    uint8_t u = 200;
    show("iid", c, u, (double)1.25f);
    return 0;
}
