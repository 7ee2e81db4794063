//! Numbered arguments of printf: any order, repeated, widths and precisions, all types.
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

static int forward(char *to, size_t n, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int count = vsnprintf(to, n, format, list);
    va_end(list);
    return count;
}

int main(void) {
    char text[64];
    int count = 0;
    printf("%2$s %1$s\n", "world", "hello");
    printf("%1$d %1$d %1$x %1$o\n", 255);
    printf("%3$d %1$d %2$d\n", 1, 2, 3);
    printf("%1$05d|%1$-5d|%1$+d|%1$ d|%1$.4d\n", 42);
    printf("%1$*2$d|%1$-*2$d|%3$.*4$f|%3$*2$.*4$f\n", 7, 9, 3.14159, 2);
    printf("%2$*1$s|%3$.*1$s\n", 4, "ab", "abcdefgh");
    printf("%5$c %4$s %3$lld %2$f %1$hhd\n", -3, 2.5, 123456789012345ll, "four", '5');
    printf("%4$e %3$lu %2$g %1$zu\n", (size_t)11, 1e-9, 4000000000ul, 6.25e100);
    printf("%2$Lf %1$d %3$d\n", 1, 2.5L, 3);
    printf("%10$d %9$d %8$d %7$d %6$d %5$d %4$d %3$d %2$d %1$d\n", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    printf("%8$.1f %7$d %6$.1f %5$d %4$.1f %3$d %2$.1f %1$d\n", 1, 2.0, 3, 4.0, 5, 6.0, 7, 8.0);
    printf("%2$s%% of %1$d%%\n", 100, "fifty");
    printf("%1$s %2$n%3$d\n", "count", &count, 9);
    printf("%d\n", count);
    printf("%2$*1$d|%2$.*3$d\n", -6, 42, -1);
    printf("%1$p %2$d\n", (void *)0, 4);
    printf("%1$jd %2$td %3$hd\n", INTMAX_MIN, (ptrdiff_t)-1, (short)-7);
    count = snprintf(text, sizeof text, "%2$s-%1$s-%2$s", "a", "bc");
    printf("%s %d\n", text, count);
    count = forward(text, 6, "%3$s%2$s%1$s", "one", "two", "three");
    printf("%s %d\n", text, count);
    return 0;
}
