//! Unsigned wrap-around in increments, loops, hashes and multi-word arithmetic.
#include <stdio.h>
#include <stdint.h>

int main(void) {
    uint8_t b = 250; int steps = 0;
    while (b++ != 0) steps++;
    printf("%d %u\n", steps, b);
    uint16_t h = 0; h--; printf("%u\n", h);
    uint32_t w = 0; w -= 5; printf("%u %u\n", w, -w);
    uint64_t q = 0; --q; printf("%llu %llu\n", (unsigned long long)q, (unsigned long long)(q + 2));
    uint32_t fnv = 2166136261u;
    for (const char *p = "unsigned wraps are fine"; *p; p++) fnv = (fnv ^ (uint8_t)*p) * 16777619u;
    printf("%08x\n", fnv);
    uint64_t djb = 5381;
    for (const char *p = "hash this text please, it is long enough"; *p; p++) djb = djb * 33 + (uint8_t)*p;
    printf("%016llx\n", (unsigned long long)djb);
    uint32_t lcg = 1;
    for (int i = 0; i < 20; i++) { lcg = lcg * 1664525u + 1013904223u; printf("%u%c", lcg, i % 5 == 4 ? '\n' : ' '); }
    uint32_t a[3] = {0xffffffffu, 0xffffffffu, 1}, c[3] = {1, 0, 2};
    unsigned carry = 0;
    for (int i = 0; i < 3; i++) {
        uint32_t s = a[i] + c[i];
        unsigned k = s < a[i];
        s += carry;
        k |= s < carry;
        a[i] = s;
        carry = k;
    }
    printf("%u %u %u carry %u\n", a[0], a[1], a[2], carry);
    uint32_t t0 = 0xfffffff0u, t1 = 0x10;
    printf("elapsed %u after %d\n", t1 - t0, (int32_t)(t1 - t0) > 0);
    for (unsigned i = 5; i-- > 0;) printf("%u ", i);
    printf("\n");
    return 0;
}
