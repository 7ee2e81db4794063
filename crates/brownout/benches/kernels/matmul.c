//! Single precision 64x64 and 16-bit integer 64x64 matrix products, repeated.
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 64
#endif
#ifndef ROUNDS
#define ROUNDS 18
#endif

static float fa[N][N], fb[N][N], fc[N][N];
static int16_t ia[N][N], ib[N][N];
static int32_t ic[N][N];

static void mul_float(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            float s = 0;
            for (int k = 0; k < N; k++)
                s += fa[i][k] * fb[k][j];
            fc[i][j] = s;
        }
}

static void mul_int(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            int32_t s = 0;
            for (int k = 0; k < N; k++)
                s += (int32_t)ia[i][k] * ib[k][j];
            ic[i][j] = s;
        }
}

int main(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            fa[i][j] = (float)((i * 3 + j) % 17) * 0.125f - 1.0f;
            fb[i][j] = (float)((i + j * 5) % 13) * 0.25f - 1.5f;
            ia[i][j] = (int16_t)((i * 7 + j * 3) % 201 - 100);
            ib[i][j] = (int16_t)((i * 11 + j * 13) % 301 - 150);
        }

    double fsum = 0;
    uint32_t isum = 0;
    for (int r = 0; r < ROUNDS; r++) {
        mul_float();
        mul_int();
        for (int i = 0; i < N; i++) {
            fsum += (double)fc[i][(i + r) % N];
            isum = isum * 31u + (uint32_t)ic[i][(i * 5 + r) % N];
            fa[r % N][i] = fc[i][r % N] * 0.0625f;
            ia[r % N][i] = (int16_t)(ic[i][r % N] % 101);
        }
    }
    printf("matmul %.4f %08lx\n", fsum, (unsigned long)isum);
    return 0;
}
