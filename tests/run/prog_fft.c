//! A radix-2 FFT in double precision, forward and inverse, with a known spectrum.
#include <stdio.h>
#include <math.h>
#define N 64
struct c { double r, i; };
static void fft(struct c *x, int n, int inv) {
    for (int i = 1, j = 0; i < n; i++) {
        int b = n >> 1;
        for (; j & b; b >>= 1) j ^= b;
        j ^= b;
        if (i < j) { struct c t = x[i]; x[i] = x[j]; x[j] = t; }
    }
    for (int len = 2; len <= n; len <<= 1) {
        double ang = 2 * acos(-1) / len * (inv ? 1 : -1);
        for (int i = 0; i < n; i += len) for (int k = 0; k < len / 2; k++) {
            double wr = cos(ang * k), wi = sin(ang * k);
            struct c u = x[i + k], v = x[i + k + len / 2], t = {v.r * wr - v.i * wi, v.r * wi + v.i * wr};
            x[i + k] = (struct c){u.r + t.r, u.i + t.i}; x[i + k + len / 2] = (struct c){u.r - t.r, u.i - t.i};
        }
    }
    if (inv) for (int i = 0; i < n; i++) { x[i].r /= n; x[i].i /= n; }
}

int main(void) {
    struct c x[N], y[N];
    double pi = acos(-1);
    for (int i = 0; i < N; i++) {
        x[i].r = sin(2 * pi * 5 * i / N) + 0.5 * cos(2 * pi * 12 * i / N) + 0.25;
        x[i].i = 0;
        y[i] = x[i];
    }
    fft(x, N, 0);
    for (int i = 0; i <= N / 2; i++) {
        double m = sqrt(x[i].r * x[i].r + x[i].i * x[i].i);
        if (m > 1e-9) printf("%d %.6f\n", i, m);
    }
    fft(x, N, 1);
    double e = 0;
    for (int i = 0; i < N; i++) e += fabs(x[i].r - y[i].r) + fabs(x[i].i);
    printf("%d\n", e < 1e-12);
    return 0;
}
