//! One-dimensional variable length arrays, sizeof on them, and as parameters.
#include <stdio.h>
#include <string.h>

static int sum(int n, const int v[n]) { int s = 0; for (int i = 0; i < n; i++) s += v[i]; return s; }
static long work(int n) {
    int a[n]; char name[n + 3]; double d[2 * n];
    for (int i = 0; i < n; i++) { a[i] = i * n; d[2 * i] = i / 4.0; d[2 * i + 1] = -i; }
    memset(name, 'x', sizeof name); name[n + 2] = 0;
    double t = 0; for (int i = 0; i < 2 * n; i++) t += d[i];
    printf("%d %d %d %s %g\n", (int)sizeof a, (int)sizeof name, (int)(sizeof d / sizeof d[0]), name, t);
    return sum(n, a);
}
static int sieve(int n) {
    char c[n + 1];
    memset(c, 1, sizeof c);
    int k = 0;
    for (int i = 2; i <= n; i++) { if (!c[i]) continue; k++; for (int j = 2 * i; j <= n; j += i) c[j] = 0; }
    return k;
}
static void rec(int n) {
    int v[n + 1];
    for (int i = 0; i <= n; i++) v[i] = n - i;
    if (n) rec(n - 1);
    printf("%d ", sum(n + 1, v));
}
static int side; static int next(void) { return ++side; }

int main(void) {
    for (int n = 1; n < 8; n += 2) printf("%ld\n", work(n));
    printf("%d %d\n", sieve(100), sieve(1000));
    rec(6); printf("\n");
    int z[next() + 2]; printf("%d %d\n", (int)(sizeof z / sizeof *z), side);
    typedef short row[next() * 4]; row r; printf("%d %d\n", (int)sizeof r, (int)sizeof(row[2]));
    int n = 5; int w[n]; n = 50; printf("%d\n", (int)(sizeof w / sizeof(int)));
    return sieve(30);
}
