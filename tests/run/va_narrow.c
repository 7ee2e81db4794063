//! An int where the format says long: wrong by the standard, and shown as it is on real processors, where
//! writing half of a register clears the rest.
#include <stdarg.h>
#include <stdio.h>

static long sum(int count, ...) {
    va_list list;
    va_start(list, count);
    long total = 0;
    while (count--) total = total * 10 + va_arg(list, long);
    va_end(list);
    return total;
}

static int dirty(const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = vprintf(format, list);
    va_end(list);
    return length;
}

int main(void) {
    volatile int small = 7, other = 9;
    dirty("%lx %lx %lx\n", -1L, -1L, -1L);
    printf("%lu %ld\n", small, other);
    dirty("%lu %zu %lx\n", small, other, 18);
    printf("%ld\n", sum(3, small, other, 1));
    return 0;
}
