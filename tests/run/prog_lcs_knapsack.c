//! Dynamic programming: longest common subsequence, edit distance, knapsack and coin change.
#include <stdio.h>
#include <string.h>
static int lcs(const char *a, const char *b, char *out) {
    static int t[40][40];
    int n = (int)strlen(a), m = (int)strlen(b);
    memset(t, 0, sizeof t);
    for (int i = n - 1; i >= 0; i--) for (int j = m - 1; j >= 0; j--) t[i][j] = a[i] == b[j] ? t[i + 1][j + 1] + 1 : t[i + 1][j] > t[i][j + 1] ? t[i + 1][j] : t[i][j + 1];
    int i = 0, j = 0, k = 0;
    while (i < n && j < m) if (a[i] == b[j]) {
        out[k++] = a[i];
        i++;
        j++;
    } else if (t[i + 1][j] >= t[i][j + 1]) i++; else j++;
    out[k] = 0;
    return t[0][0];
}
static int edit(const char *a, const char *b) {
    int m = (int)strlen(b), d[m + 1];
    for (int j = 0; j <= m; j++) d[j] = j;
    for (int i = 1; *a; a++, i++) {
        int p = d[0];
        d[0] = i;
        for (int j = 1; j <= m; j++) {
            int t = d[j], c = p + (*a != b[j - 1]);
            if (d[j] + 1 < c) c = d[j] + 1;
            if (d[j - 1] + 1 < c) c = d[j - 1] + 1;
            d[j] = c;
            p = t;
        }
    }
    return d[m];
}
int main(void) {
    char o[40];
    int n = lcs("conformance testing", "combined firmware thing", o);
    printf("%d %s\n", n, o);
    printf("%d %d %d %d\n", edit("kitten", "sitting"), edit("", "abc"), edit("same", "same"), edit("intention", "execution"));
    static const int w[] = {3, 4, 5, 9, 14}, v[] = {3, 4, 4, 10, 15};
    int best[31] = {0};
    for (int i = 0; i < 5; i++) for (int c = 30; c >= w[i]; c--) if (best[c - w[i]] + v[i] > best[c]) best[c] = best[c - w[i]] + v[i];
    for (int c = 0; c <= 30; c += 5) printf("%d ", best[c]);
    printf("\n");
    long ways[101] = {1};
    static const int coin[] = {1, 5, 10, 25, 50};
    for (int i = 0; i < 5; i++) for (int c = coin[i]; c <= 100; c++) ways[c] += ways[c - coin[i]];
    printf("%ld %ld\n", ways[50], ways[100]);
    return n;
}
