//! Matrix multiplication, Gaussian elimination, determinant and inverse with doubles.
#include <stdio.h>
#include <math.h>
#define N 5
static void mul(double a[N][N], double b[N][N], double r[N][N]) {
    for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) {
        double s = 0;
        for (int k = 0; k < N; k++) s += a[i][k] * b[k][j];
        r[i][j] = s;
    }
}
static double invert(double in[N][N], double out[N][N]) {
    double a[N][2 * N], det = 1;
    for (int i = 0; i < N; i++) for (int j = 0; j < 2 * N; j++) a[i][j] = j < N ? in[i][j] : j - N == i;
    for (int c = 0; c < N; c++) {
        int p = c; for (int i = c + 1; i < N; i++) if (fabs(a[i][c]) > fabs(a[p][c])) p = i;
        if (p != c) {
            det = -det;
            for (int j = 0; j < 2 * N; j++) { double t = a[c][j]; a[c][j] = a[p][j]; a[p][j] = t; }
        }
        double d = a[c][c]; det *= d; if (d == 0) return 0; for (int j = 0; j < 2 * N; j++) a[c][j] /= d;
        for (int i = 0; i < N; i++) if (i != c) {
            double f = a[i][c];
            for (int j = 0; j < 2 * N; j++) a[i][j] -= f * a[c][j];
        }
    }
    for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) out[i][j] = a[i][j + N];
    return det;
}

int main(void) {
    double a[N][N], b[N][N], c[N][N];
    for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) a[i][j] = (i * 7 + j * 3) % 11 - 4 + (i == j) * 6;
    double det = invert(a, b);
    printf("%.8g\n", det);
    for (int i = 0; i < N; i++) { for (int j = 0; j < N; j++) printf("%.8f ", b[i][j]); printf("\n"); }
    mul(a, b, c);
    int ok = 1;
    for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) ok &= fabs(c[i][j] - (i == j)) < 1e-12;
    printf("%d\n", ok);
    for (int j = 0; j < N; j++) a[1][j] = a[0][j]; printf("%d\n", fabs(invert(a, b)) < 1e-9); return ok;
}
