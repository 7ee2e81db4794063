//! Values pass through assembly that does nothing, whichever operands are tied and in whatever registers.
#include <stdio.h>

static __attribute__((noinline)) unsigned long named(unsigned long a, unsigned long b) {
    register unsigned long first __asm__("rdi") = a;
    register unsigned long second __asm__("rsi") = b;
    __asm__ volatile("" : "=r"(first), "=r"(second) : "0"(first), "1"(second) : "memory");
    return first * 1000 + second;
}

static __attribute__((noinline)) int second_only(int a, double d) {
    int unset;
    double kept = d;
    int also = a;
    __asm__ volatile("" : "=r"(unset), "+x"(kept), "+r"(also));
    return (int)(kept * 10) + also;
}

static __attribute__((noinline)) int crossed(int a, int b) {
    int x, y;
    __asm__("" : "=r"(x), "=r"(y) : "1"(a), "0"(b));
    return x * 100 + y;
}

int main(void) {
    printf("%lu\n", named(12, 34));
    printf("%d\n", second_only(3, 4.5));
    printf("%d\n", crossed(5, 6));
    return 0;
}
