//! Radix-2 FFT in Q15 fixed point on 512 points with per-stage scaling, repeated.
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 512
#endif
#ifndef ROUNDS
#define ROUNDS 520
#endif

static int16_t re[N], im[N], twr[N / 2], twi[N / 2];

static void init_twiddles(void) {
    for (int i = 0; i < N / 2; i++) {
        double a = -2.0 * 3.14159265358979323846 * i / N;
        twr[i] = (int16_t)(32767.0 * cos(a));
        twi[i] = (int16_t)(32767.0 * sin(a));
    }
}

static int16_t q15_mul(int16_t a, int16_t b) {
    return (int16_t)(((int32_t)a * b + 0x4000) >> 15);
}

static void bit_reverse(void) {
    for (int i = 1, j = 0; i < N; i++) {
        int bit = N >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            int16_t t = re[i]; re[i] = re[j]; re[j] = t;
            t = im[i]; im[i] = im[j]; im[j] = t;
        }
    }
}

static void fft(void) {
    bit_reverse();
    for (int len = 2; len <= N; len <<= 1) {
        int half = len / 2, step = N / len;
        for (int k = 0; k < half; k++) {
            int16_t wr = twr[k * step], wi = twi[k * step];
            for (int a = k; a < N; a += len) {
                int b = a + half;
                int16_t xr = (int16_t)((q15_mul(re[b], wr) - q15_mul(im[b], wi)) >> 1);
                int16_t xi = (int16_t)((q15_mul(re[b], wi) + q15_mul(im[b], wr)) >> 1);
                int16_t ar = (int16_t)(re[a] >> 1), ai = (int16_t)(im[a] >> 1);
                re[b] = (int16_t)(ar - xr);
                im[b] = (int16_t)(ai - xi);
                re[a] = (int16_t)(ar + xr);
                im[a] = (int16_t)(ai + xi);
            }
        }
    }
}

int main(void) {
    uint32_t sum = 0, seed = 12345;
    init_twiddles();
    for (int r = 0; r < ROUNDS; r++) {
        for (int i = 0; i < N; i++) {
            seed = seed * 1664525u + 1013904223u;
            re[i] = (int16_t)((int32_t)(seed >> 17) - 16384);
            im[i] = 0;
        }
        fft();
        for (int i = 0; i < N; i++)
            sum = sum * 31u + (uint16_t)re[i] + ((uint32_t)(uint16_t)im[i] << 8);
    }
    printf("fft_fixed %08lx\n", (unsigned long)sum);
    return 0;
}
