//! Arrays, multi-dimensional arrays, pointer walks, compound literals and variable length arrays.
#include <stdio.h>
#include <stdint.h>
static int16_t g[3][4] = {{1, 2}, {[2] = 7}, {9, 9, 9, 9}};
static const char *const names[] = {"zero", "one", "two"};
static int sum(const int16_t *p, const int16_t *e) { int s = 0; while (p < e) s += *p++; return s; }
static int vla(int n) {
    int v[n];
    for (int i = 0; i < n; i++) v[i] = i * i;
    int s = 0;
    for (int i = 0; i < n; i++) s += v[i];
    return s;
}
static void rot(int16_t m[4][4]) {
    for (int i = 0; i < 4; i++) for (int j = i + 1; j < 4; j++) { int16_t t = m[i][j]; m[i][j] = m[j][i]; m[j][i] = t; }
}
int main(void) {
    for (int i = 0; i < 3; i++) printf("%d ", sum(g[i], g[i] + 4));
    printf("%d\n", g[1][2]);
    int16_t m[4][4];
    for (int i = 0; i < 16; i++) m[i / 4][i % 4] = (int16_t)i;
    rot(m);
    for (int i = 0; i < 16; i++) printf("%d ", m[i / 4][i % 4]);
    printf("\n");
    int16_t *p = &m[1][0], (*r)[4] = m + 2;
    printf("%d %d %d %d\n", p[2], *(p + 3), (*r)[1], (int)(&m[3][3] - &m[0][0]));
    printf("%d %d %d\n", vla(1), vla(5), vla(20));
    int16_t *lit = (int16_t[]){5, 6, 7};
    printf("%d\n", sum(lit, lit + 3));
    const char *const *n = names;
    printf("%s %c %s\n", *n, n[1][1], *(n + 2));
    char s[] = "reverse";
    for (char *a = s, *b = s + 6; a < b; a++, b--) { char t = *a; *a = *b; *b = t; }
    printf("%s %d\n", s, (int)sizeof s);
    int a = 1, b = 2, *pa = &a, **pp = &pa;
    *pp = &b;
    **pp = 30;
    printf("%d %d\n", a, b);
    struct { uint8_t k; int16_t v[3]; } t[2] = {{1, {10, 20, 30}}, {2, {40}}};
    printf("%d %d %d\n", t[0].v[2], t[1].v[0], t[1].v[2]);
    return 0;
}
