//! N-queens by backtracking with bit masks and with arrays, printing one board.
#include <stdio.h>
static int bits(unsigned cols, unsigned d1, unsigned d2, unsigned all) {
    if (cols == all) return 1;
    int n = 0;
    for (unsigned f = all & ~(cols | d1 | d2); f; f &= f - 1) {
        unsigned b = f & -f;
        n += bits(cols | b, (d1 | b) << 1, (d2 | b) >> 1, all);
    }
    return n;
}
static int row[10];
static int safe(int r, int c) {
    for (int i = 0; i < r; i++) if (row[i] == c || row[i] - c == i - r || row[i] - c == r - i) return 0;
    return 1;
}
static int arrays(int n, int r, int show) {
    if (r == n) {
        if (show) for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) putchar(row[i] == j ? 'Q' : '.');
            putchar('\n');
        }
        return 1;
    }
    int k = 0;
    for (int c = 0; c < n; c++) if (safe(r, c)) {
        row[r] = c;
        k += arrays(n, r + 1, show && !k);
        if (show && k) return k;
    }
    return k;
}
int main(void) {
    for (int n = 1; n <= 8; n++) printf("%d: %d\n", n, bits(0, 0, 0, (1u << n) - 1));
    printf("%d\n", arrays(6, 0, 0));
    arrays(8, 0, 1);
    return arrays(7, 0, 0);
}
