//! 8- and 16-bit arithmetic that does not depend on the width of int.
#include <stdio.h>
#include <stdint.h>
static const int16_t sv[] = {INT16_MIN, -256, -1, 0, 1, 255, INT16_MAX};
static const uint16_t uv[] = {0, 1, 255, 256, 32768u, 65535u};
int main(void) {
    for (int i = 0; i < 7; i++) for (int j = 0; j < 7; j++) {
        int32_t a = sv[i], b = sv[j];
        printf("%ld %ld: %ld %ld %ld", (long)a, (long)b, (long)(int16_t)(a + b), (long)(int16_t)(a - b), (long)(int16_t)(a * b));
        if (b) printf(" %ld %ld", (long)(a / b), (long)(a % b));
        printf("\n");
    }
    for (int i = 0; i < 6; i++) for (int j = 0; j < 6; j++) {
        uint32_t a = uv[i], b = uv[j]; uint16_t s = (uint16_t)(a + b), d = (uint16_t)(a - b), m = (uint16_t)(a * b);
        printf("%u %u: %u %u %u", uv[i], uv[j], s, d, m);
        if (b) printf(" %u %u", (uint16_t)(a / b), (uint16_t)(a % b));
        printf("\n");
    }
    uint8_t c = 250; int n = 0; while (c++) n++;
    printf("%d %u\n", n, c);
    return 0;
}
