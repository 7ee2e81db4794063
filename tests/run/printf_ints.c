//! printf of integers with every flag, width and precision combination.
//@ flags: -Wno-format
#include <stdio.h>
#include <limits.h>

int main(void) {
    static const char *const flags[] = {"", "-", "0", "+", " ", "#", "-+", "0+", "- ", "#0", "-#", "+#0"};
    static const char *const wp[] = {"", "1", "8", ".0", ".1", ".5", "8.5", "10.3", "3.6"};
    static const int vals[] = {0, 1, -1, 42, -12345, INT_MAX, INT_MIN};
    for (unsigned f = 0; f < 12; f++) for (unsigned w = 0; w < 9; w++) {
        char d[24], u[24], x[24], o[24], X[24];
        snprintf(d, 24, "[%%%s%sd]", flags[f], wp[w]);
        snprintf(u, 24, "[%%%s%su]", flags[f], wp[w]);
        snprintf(x, 24, "[%%%s%sx]", flags[f], wp[w]);
        snprintf(o, 24, "[%%%s%so]", flags[f], wp[w]);
        snprintf(X, 24, "[%%%s%sX]", flags[f], wp[w]);
        for (int i = 0; i < 7; i++) {
            printf(d, vals[i]);
            if (i < 5) { printf(u, vals[i]); printf(x, vals[i]); printf(o, vals[i]); printf(X, vals[i]); }
        }
        printf("\n");
    }
    return 0;
}
