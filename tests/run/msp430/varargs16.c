//! Variadic argument sizes on a 16-bit target: int takes two bytes, long four, long long and double eight.
#include <stdio.h>
#include <stdarg.h>
#include <stdint.h>
static void show(const char *t, ...) {
    va_list ap;
    va_start(ap, t);
    for (; *t; t++) {
        if (*t == 'i') printf("%d ", va_arg(ap, int)); else if (*t == 'l') printf("%ld ", va_arg(ap, long)); else if (*t == 'q') printf("%lld ", va_arg(ap, long long)); else if (*t == 'd') printf("%.2f ", va_arg(ap, double)); else if (*t == 'u') printf("%u ", va_arg(ap, unsigned)); else printf("%s ", va_arg(ap, char *));
    }
    va_end(ap);
    printf("\n");
}
int main(void) {
    show("ilqd", -1, -70000L, 5000000000LL, 2.5);
    show("liiqi", 65536L, 1, 2, -1LL, 3);
    show("sisls", "a", 7, "b", 8L, "c");
    show("uuuu", 65535u, 32768u, 1u, 0u);
    char c = 5;
    int8_t s = -5;
    uint16_t w = 60000u;
    show("iiu", c, s, w);
    show("ddid", 0.25, -1.75, 9, 100.0);
    printf("%d %ld %d %lld %d\n", 1, 2L, 3, 4LL, 5);
    printf("%u %d %x %lx\n", (uint16_t)65535u, (int16_t)-2, 0xbeefu, 0xdeadbeeful);
    return 0;
}
