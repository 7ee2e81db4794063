//! Arithmetic on 8-bit signed and unsigned values over edge operands.
#include <stdio.h>
#include <stdint.h>

static const int8_t sv[] = {INT8_MIN, -127, -100, -1, 0, 1, 7, 100, 126, INT8_MAX};
static const uint8_t uv[] = {0, 1, 2, 127, 128, 200, 254, 255};

int main(void) {
    for (unsigned i = 0; i < sizeof sv; i++)
        for (unsigned j = 0; j < sizeof sv; j++) {
            int8_t a = sv[i], b = sv[j];
            int8_t s = (int8_t)(a + b), d = (int8_t)(a - b), m = (int8_t)(a * b);
            printf("%d %d: %d %d %d", a, b, s, d, m);
            if (b) printf(" %d %d", a / b, a % b);
            printf(" %d %d %d\n", a & b, a | b, a ^ b);
        }
    for (unsigned i = 0; i < sizeof uv; i++)
        for (unsigned j = 0; j < sizeof uv; j++) {
            uint8_t a = uv[i], b = uv[j];
            uint8_t s = a + b, d = a - b, m = a * b;
            printf("%u %u: %u %u %u", a, b, s, d, m);
            if (b) printf(" %u %u", (unsigned)(a / b), (unsigned)(a % b));
            printf(" %u %d %d\n", (uint8_t)~a, a < b, a - b);
        }
    return 0;
}
