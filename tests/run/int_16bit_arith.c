//! Arithmetic on 16-bit signed and unsigned values over edge operands.
#include <stdio.h>
#include <stdint.h>

static const int16_t sv[] = {INT16_MIN, -32767, -256, -1, 0, 1, 255, 256, 32766, INT16_MAX};
static const uint16_t uv[] = {0, 1, 255, 256, 32767, 32768, 65534, 65535};

int main(void) {
    for (unsigned i = 0; i < sizeof sv / sizeof *sv; i++)
        for (unsigned j = 0; j < sizeof sv / sizeof *sv; j++) {
            int16_t a = sv[i], b = sv[j];
            int16_t s = (int16_t)(a + b), d = (int16_t)(a - b), m = (int16_t)((int32_t)a * b);
            printf("%hd %hd: %hd %hd %hd", a, b, s, d, m);
            if (b) printf(" %d %d", a / b, a % b);
            printf(" %d%d%d\n", a < b, a <= b, a == b);
        }
    for (unsigned i = 0; i < sizeof uv / sizeof *uv; i++)
        for (unsigned j = 0; j < sizeof uv / sizeof *uv; j++) {
            uint16_t a = uv[i], b = uv[j];
            uint16_t s = a + b, d = a - b, m = (uint16_t)((uint32_t)a * b);
            printf("%hu %hu: %hu %hu %hu", a, b, s, d, m);
            if (b) printf(" %u %u", (unsigned)a / b, (unsigned)a % b);
            printf(" %x\n", (unsigned)(uint16_t)(~a ^ (b << 3)));
        }
    return 3;
}
