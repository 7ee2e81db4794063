//! Wrap-around of unsigned int at 16 bits and of values stored back into int.
#include <stdio.h>
#include <stdint.h>
int main(void) {
    volatile unsigned u = 65535u;
    u++;
    printf("%u\n", u);
    u -= 2;
    printf("%u\n", u);
    u = 300;
    u *= 300;
    printf("%u\n", u);
    volatile unsigned a = 40000u, b = 30000u; printf("%u %u %u\n", a + b, b - a, a * b);
    volatile int i = (int)(32767u + 1u); printf("%d\n", i); i = (int)((unsigned)i - 1u); printf("%d\n", i);
    printf("%u %u\n", ~0u, -1u);
    printf("%x %o\n", ~0u, ~0u);
    printf("%u\n", 1u << 15);
    volatile unsigned sh = 0xff00;
    printf("%x %x\n", sh << 4, sh >> 4);
    volatile uint8_t c = 200;
    unsigned prod = c * 300u;
    printf("%u\n", prod);
    volatile unsigned long l = 65535ul;
    l++;
    printf("%lu\n", l);
    unsigned sum = 0; for (unsigned k = 0; k < 1000; k++) sum += 77; printf("%u\n", sum);
    return 0;
}
