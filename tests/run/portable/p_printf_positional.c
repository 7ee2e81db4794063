//! Numbered arguments of printf, of every width.
#include <stdint.h>
#include <stdio.h>
int main(void) {
    printf("%2$s %1$s\n", "world", "hello");
    printf("%5$c %4$s %3$lld %2$f %1$hhd\n", -3, 2.5, 123456789012345ll, "four", '5');
    printf("%4$e %3$lu %2$g %1$u\n", 11u, 1e-9, 4000000000ul, 6.25e100);
    printf("%1$*2$d|%1$-*2$d|%3$.*4$f|%3$*2$.*4$f\n", 7, 9, 3.14159, 2);
    printf("%6$jd %5$s %4$ld %3$d %2$lld %1$d\n", 1, 2ll, 3, 4l, "five", INTMAX_MIN);
    return 0;
}
