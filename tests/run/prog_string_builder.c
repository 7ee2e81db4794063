//! A growing string builder with formatted append, insert, replace, reverse, join and case change.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdarg.h>
#include <ctype.h>
struct sb { char *p; size_t n, cap; }; static int grows;
static void need(struct sb *s, size_t k) {
    if (s->n + k + 1 > s->cap) { s->cap = (s->n + k + 1) * 2; s->p = realloc(s->p, s->cap); grows++; }
}
static void put(struct sb *s, const char *t) {
    size_t k = strlen(t);
    need(s, k);
    memcpy(s->p + s->n, t, k + 1);
    s->n += k;
}
static void putf(struct sb *s, const char *f, ...) {
    va_list a, b;
    va_start(a, f);
    va_copy(b, a);
    int k = vsnprintf(0, 0, f, a);
    va_end(a);
    need(s, (size_t)k);
    vsnprintf(s->p + s->n, (size_t)k + 1, f, b);
    va_end(b);
    s->n += (size_t)k;
}
static void insert(struct sb *s, size_t at, const char *t) {
    size_t k = strlen(t);
    need(s, k);
    memmove(s->p + at + k, s->p + at, s->n - at + 1);
    memcpy(s->p + at, t, k);
    s->n += k;
}
static int replace(struct sb *s, const char *a, const char *b) {
    int c = 0;
    size_t la = strlen(a), lb = strlen(b);
    for (char *q = s->p; (q = strstr(q, a)); c++) {
        size_t at = (size_t)(q - s->p);
        if (lb > la) need(s, lb - la);
        q = s->p + at;
        memmove(q + lb, q + la, s->n - at - la + 1);
        memcpy(q, b, lb);
        s->n += lb - la;
        q += lb;
    }
    return c;
}
static void title(char *p) {
    for (int up = 1; *p; p++) {
        *p = (char)(up ? toupper((unsigned char)*p) : tolower((unsigned char)*p));
        up = !isalnum((unsigned char)*p);
    }
}
int main(void) {
    struct sb s = {0};
    put(&s, "the cat sat");
    putf(&s, " on %d %s, %.1f%%", 3, "mats", 99.5);
    printf("%s|%d\n", s.p, (int)s.n);
    insert(&s, 4, "very fat ");
    insert(&s, 0, ">> ");
    printf("%s|%d\n", s.p, (int)s.n);
    printf("%d ", replace(&s, "at", "og"));
    printf("%s\n", s.p);
    printf("%d ", replace(&s, "og", "arrow"));
    printf("%s\n", s.p);
    printf("%d\n", replace(&s, "zzz", ""));
    title(s.p);
    printf("%s|%d\n", s.p, (int)s.n);
    for (size_t i = 0; i < s.n / 2; i++) { char t = s.p[i]; s.p[i] = s.p[s.n - 1 - i]; s.p[s.n - 1 - i] = t; }
    printf("%s\n", s.p);
    s.n = 0;
    for (int i = 0; i < 200; i++) putf(&s, "%x,", i * i);
    printf("%d %s %d\n", (int)s.n, s.p + s.n - 12, grows < 12);
    free(s.p);
    return 0;
}
