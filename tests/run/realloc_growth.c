//! Growing and shrinking with realloc keeps contents, from NULL upward.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vec { int *v; size_t n, cap; int moves; };
static void push(struct vec *a, int x) {
    if (a->n == a->cap) { a->cap = a->cap ? a->cap * 2 : 1; a->v = realloc(a->v, a->cap * sizeof *a->v); a->moves++; }
    a->v[a->n++] = x;
}
static unsigned sum(const unsigned char *p, size_t n) {
    unsigned s = 0;
    for (size_t i = 0; i < n; i++) s = s * 17 + p[i];
    return s;
}

int main(void) {
    struct vec a = {0}; for (int i = 0; i < 1000; i++) push(&a, i ^ (i << 3));
    long t = 0; for (size_t i = 0; i < a.n; i++) t += a.v[i] * (long)(i % 7);
    printf("%d %d %d %ld\n", (int)a.n, (int)a.cap, a.moves, t);
    a.v = realloc(a.v, 10 * sizeof *a.v); for (int i = 0; i < 10; i++) printf("%d ", a.v[i]);
    printf("\n"); free(a.v);
    unsigned char *p = malloc(100), *q = malloc(50);
    for (int i = 0; i < 100; i++) p[i] = (unsigned char)i;
    memset(q, 0xee, 50);
    unsigned s1 = sum(p, 100); p = realloc(p, 5000); printf("%d ", sum(p, 100) == s1); memset(p + 100, 1, 4900);
    q = realloc(q, 3000);
    printf("%d %d ", q[0], q[49]);
    p = realloc(p, 60);
    printf("%d %d\n", p[0], p[59]);
    q = realloc(q, 1);
    printf("%d\n", q[0]);
    free(p);
    free(q);
    char *s = 0;
    size_t len = 0;
    for (int i = 0; i < 40; i++) {
        char piece[16];
        int n = snprintf(piece, sizeof piece, "%d,", i * i);
        s = realloc(s, len + (size_t)n + 1);
        memcpy(s + len, piece, (size_t)n + 1);
        len += (size_t)n;
    }
    printf("%d %.30s...%s\n", (int)len, s, s + len - 10); free(s);
    char *many[20] = {0};
    for (int r = 1; r < 6; r++) for (int i = 0; i < 20; i++) {
        many[i] = realloc(many[i], (size_t)(r * (i + 3)));
        if (r == 1) many[i][0] = (char)('A' + i);
        many[i][r * (i + 3) - 1] = r == 1 && i == -3 ? 0 : '.';
    }
    for (int i = 0; i < 20; i++) { putchar(many[i][0]); putchar(many[i][i + 2]); free(many[i]); }
    putchar('\n');
    return a.moves;
}
