//! alloca that nobody has declared, in C of old.
//@ flags: -std=gnu89
#include <stdio.h>

#undef alloca

static unsigned fill(unsigned n) {
    unsigned i, sum = 0;
    unsigned char *bytes = (unsigned char *)alloca(n);
    for (i = 0; i < n; i++) bytes[i] = (unsigned char)i;
    for (i = 0; i < n; i++) sum += bytes[i];
    return sum;
}

int main(void) {
    printf("%u\n", fill(10) + fill(100));
    return 0;
}
