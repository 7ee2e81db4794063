//! Wrappers that forward va_list to vprintf, vsnprintf and vsprintf.
#include <stdio.h>
#include <stdarg.h>
#include <string.h>

static int lines;
__attribute__((format(printf, 2, 3))) static int logf_(int level, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    printf("%d[%d] ", ++lines, level);
    int n = vprintf(fmt, ap);
    va_end(ap);
    putchar('\n');
    return n;
}
struct sb { char buf[64]; size_t len; int full; };
static void addf(struct sb *s, const char *fmt, ...) {
    va_list ap; va_start(ap, fmt); int n = vsnprintf(s->buf + s->len, sizeof s->buf - s->len, fmt, ap); va_end(ap);
    if (n < 0 || (size_t)n >= sizeof s->buf - s->len) {
        s->full = 1;
        s->len = sizeof s->buf - 1;
    } else s->len += (size_t)n;
}
static int vtwo(const char *fmt, va_list ap) {
    va_list b;
    va_copy(b, ap);
    char t[100];
    int n = vsprintf(t, fmt, ap);
    printf("<%s>", t);
    n += vprintf(fmt, b);
    va_end(b);
    printf("\n");
    return n;
}
static int two(const char *fmt, ...) { va_list ap; va_start(ap, fmt); int n = vtwo(fmt, ap); va_end(ap); return n; }
static int size_of(const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    return n;
}

int main(void) {
    int n = logf_(1, "plain");
    n += logf_(2, "%d %s %c", -7, "str", 'x');
    n += logf_(3, "%5.2f|%-8s|%08x", 3.14159, "left", 0xbeefu);
    n += logf_(4, "%d %d %d %d %d %d %d %d %g %g", 1, 2, 3, 4, 5, 6, 7, 8, 9.5, 10.5);
    printf("%d\n", n);
    struct sb s = {{0}, 0, 0}; for (int i = 0; !s.full; i++) addf(&s, "%d:%s;", i, i % 2 ? "odd" : "even");
    printf("%s %d\n", s.buf, (int)strlen(s.buf));
    printf("%d\n", two("%s-%llu-%g", "both", 18446744073709551615ull, 0.1));
    printf("%d %d\n", size_of("%d", 12345), size_of("%*s%%", 20, "x"));
    return n;
}
