//! alloca that the program declares itself, in a function that is called again and again.
#include <stdio.h>
#include <string.h>

#undef alloca
void *alloca(size_t size);

__attribute__((noinline)) static unsigned sum(unsigned n) {
    unsigned total = 0;
    for (unsigned i = 1; i <= 3; i++) {
        unsigned char *bytes = alloca(n * i);
        memset(bytes, (int)i, n * i);
        for (unsigned k = 0; k < n * i; k++)
            total += bytes[k];
    }
    return total;
}

int main(void) {
    unsigned total = 0;
    for (unsigned i = 0; i < 300; i++)
        total += sum(i % 50) % 11;
    printf("%u %u\n", sum(10), total);
    return 0;
}
