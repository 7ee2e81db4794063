//! Two- and three-dimensional variable length arrays and pointers to them.
#include <stdio.h>
#include <stdlib.h>

static void fill(int r, int c, int m[r][c]) {
    for (int i = 0; i < r; i++) for (int j = 0; j < c; j++) m[i][j] = i * 10 + j;
}
static void transpose(int r, int c, int a[r][c], int b[c][r]) {
    for (int i = 0; i < r; i++) for (int j = 0; j < c; j++) b[j][i] = a[i][j];
}
static void show(int r, int c, int (*m)[c]) {
    for (int i = 0; i < r; i++) { for (int j = 0; j < c; j++) printf("%3d", m[i][j]); printf("\n"); }
}
static long mulsum(int n) {
    double a[n][n], b[n][n]; long t = 0;
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { a[i][j] = i + j; b[i][j] = i - j; }
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
        double s = 0;
        for (int k = 0; k < n; k++) s += a[i][k] * b[k][j];
        t += (long)s * (i + 1);
    }
    return t;
}
static int cube(int a, int b, int c) {
    short v[a][b][c]; int n = 0, t = 0;
    for (int i = 0; i < a; i++) for (int j = 0; j < b; j++) for (int k = 0; k < c; k++) v[i][j][k] = (short)n++;
    for (int k = 0; k < c; k++) for (int i = 0; i < a; i++) t = t * 3 % 9973 + v[i][b - 1][k];
    printf("%d %d %d\n", (int)sizeof v, (int)sizeof v[0], (int)sizeof v[0][0]);
    return t;
}

int main(void) {
    for (int r = 2; r <= 4; r++) {
        int c = 6 - r;
        int a[r][c], b[c][r];
        fill(r, c, a);
        transpose(r, c, a, b);
        show(r, c, a);
        show(c, r, b);
    }
    printf("%ld %ld\n", mulsum(3), mulsum(9));
    printf("%d\n", cube(3, 4, 5));
    int n = 7;
    int (*h)[n] = malloc(sizeof(int[4][n]));
    fill(4, n, h);
    printf("%d %d %d\n", h[3][6], (*(h + 2))[1], (int)sizeof *h);
    int (*p)[n] = h + 1; printf("%d %d\n", (int)(p - h), p[1][n - 1]); free(h);
    return 0;
}
