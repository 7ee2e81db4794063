//! A sudoku solver by constraint bit masks and backtracking.
#include <stdio.h>
static int grid[81]; static unsigned R[9], C[9], B[9]; static int nodes;
static int solve(void) {
    int best = -1, bc = 10;
    unsigned bm = 0;
    nodes++;
    for (int i = 0; i < 81; i++) if (!grid[i]) {
        unsigned m = 0x1ff & ~(R[i / 9] | C[i % 9] | B[i / 27 * 3 + i % 9 / 3]);
        int n = __builtin_popcount(m);
        if (n < bc) { bc = n; best = i; bm = m; }
    }
    if (best < 0) return 1;
    int r = best / 9, c = best % 9, b = best / 27 * 3 + c / 3;
    for (; bm; bm &= bm - 1) {
        unsigned bit = bm & -bm;
        grid[best] = __builtin_ctz(bit) + 1;
        R[r] |= bit;
        C[c] |= bit;
        B[b] |= bit;
        if (solve()) return 1;
        R[r] ^= bit;
        C[c] ^= bit;
        B[b] ^= bit;
        grid[best] = 0;
    }
    return 0;
}
int main(void) {
    const char *p = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    for (int i = 0; i < 81; i++) if (p[i] != '.') {
        grid[i] = p[i] - '0';
        unsigned b = 1u << (grid[i] - 1);
        R[i / 9] |= b;
        C[i % 9] |= b;
        B[i / 27 * 3 + i % 9 / 3] |= b;
    }
    printf("%d\n", solve());
    for (int i = 0; i < 81; i++) printf("%d%s", grid[i], i % 9 == 8 ? "\n" : "");
    printf("%d\n", nodes);
    return grid[40];
}
