//! Radix-2 FFT in single precision on 1024 points, forward and back, repeated.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifndef N
#define N 1024
#endif
#ifndef ROUNDS
#define ROUNDS 240
#endif

static float re[N], im[N], twr[N / 2], twi[N / 2];

static void init_twiddles(void) {
    for (int i = 0; i < N / 2; i++) {
        double a = -2.0 * 3.14159265358979323846 * i / N;
        twr[i] = (float)cos(a);
        twi[i] = (float)sin(a);
    }
}

static void bit_reverse(void) {
    for (int i = 1, j = 0; i < N; i++) {
        int bit = N >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            float t = re[i]; re[i] = re[j]; re[j] = t;
            t = im[i]; im[i] = im[j]; im[j] = t;
        }
    }
}

static void fft(int inverse) {
    bit_reverse();
    for (int len = 2; len <= N; len <<= 1) {
        int half = len / 2, step = N / len;
        for (int base = 0; base < N; base += len)
            for (int k = 0; k < half; k++) {
                float wr = twr[k * step], wi = inverse ? -twi[k * step] : twi[k * step];
                int a = base + k, b = a + half;
                float xr = re[b] * wr - im[b] * wi;
                float xi = re[b] * wi + im[b] * wr;
                re[b] = re[a] - xr;
                im[b] = im[a] - xi;
                re[a] += xr;
                im[a] += xi;
            }
    }
    if (inverse)
        for (int i = 0; i < N; i++) {
            re[i] *= 1.0f / N;
            im[i] *= 1.0f / N;
        }
}

int main(void) {
    init_twiddles();
    for (int i = 0; i < N; i++) {
        re[i] = (float)((i * 37) % 101) / 50.0f - 1.0f;
        im[i] = 0.0f;
    }
    for (int r = 0; r < ROUNDS; r++) {
        fft(0);
        re[r % N] += 0.5f;
        fft(1);
    }
    double energy = 0;
    for (int i = 0; i < N; i++)
        energy += (double)re[i] * (double)re[i] + (double)im[i] * (double)im[i];
    printf("fft_float %.3f\n", energy);
    return 0;
}
