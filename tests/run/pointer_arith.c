//! Pointer arithmetic, differences, comparisons and walking from both ends.
#include <stdio.h>
#include <stddef.h>
#include <stdint.h>

struct rec { char k; int v; short s[3]; };
static void reverse(int *a, int *b) { while (a < --b) { int t = *a; *a++ = *b; *b = t; } }
static const int *lower(const int *a, const int *e, int x) {
    while (a < e) { const int *m = a + (e - a) / 2; if (*m < x) a = m + 1; else e = m; }
    return a;
}
static int palin(const char *s) {
    const char *e = s;
    while (*e) e++;
    while (s < e) if (*s++ != *--e) return 0;
    return 1;
}

int main(void) {
    int v[10]; int *end = v + 10; for (int *p = v; p != end; p++) *p = (int)(p - v) * 11;
    reverse(v + 2, v + 8); for (int i = 0; i < 10; i++) printf("%d ", v[i]);
    printf("\n");
    int *a = &v[3], *b = &v[7]; printf("%d %d %d %d %d\n", (int)(b - a), (int)(a - b), a < b, a >= b, a + 4 == b);
    printf("%d %d %d\n", *(a + 1), a[-2], *(b - 3));
    int s[] = {1, 3, 3, 5, 9};
    printf("%d %d %d %d\n", (int)(lower(s, s + 5, 3) - s), (int)(lower(s, s + 5, 4) - s), (int)(lower(s, s + 5, 0) - s), (int)(lower(s, s + 5, 10) - s));
    struct rec r[4] = {{'a', 1, {1, 2, 3}}, {'b', 2, {4, 5, 6}}, {'c', 3, {7, 8, 9}}, {'d', 4, {0}}};
    struct rec *p = r;
    p += 2;
    printf("%c %d %d %d\n", p->k, p[-1].v, (p + 1)->s[0], (int)((char *)p - (char *)r) == 2 * (int)sizeof(struct rec));
    short *sp = r[1].s; printf("%d ", sp[1]); printf("%d ", *++sp); printf("%d ", *sp++); printf("%d\n", *sp);
    char *bytes = (char *)r; printf("%c %d\n", bytes[sizeof(struct rec)], *(int *)(bytes + offsetof(struct rec, v)));
    printf("%d %d %d\n", palin("racecar"), palin("abca"), palin(""));
    int x = 5, *px = &x, **ppx = &px; **ppx += 2; *px *= 3; printf("%d %d\n", x, *ppx == &x);
    uintptr_t u = (uintptr_t)v; printf("%d %d\n", (int)((uintptr_t)&v[5] - u), (int)(((uintptr_t)(v + 1) ^ u) != 0));
    void *vp = &v[4];
    printf("%d %d\n", *(int *)vp, vp == (void *)(v + 4));
    int *np = 0;
    printf("%d %d\n", !np, np == NULL);
    ptrdiff_t d = &v[9] - &v[0]; long idx = -3; printf("%td %d\n", d, end[idx]);
    return (int)(end - v);
}
