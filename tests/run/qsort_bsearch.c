//! qsort and bsearch with several comparators and element sizes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rec { char name[11]; int age; double score; };
static int by_int(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
static int by_int_desc(const void *a, const void *b) { return -by_int(a, b); }
static int by_byte(const void *a, const void *b) { return *(const unsigned char *)a - *(const unsigned char *)b; }
static int by_str(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
static int by_name(const void *a, const void *b) {
    return strcmp(((const struct rec *)a)->name, ((const struct rec *)b)->name);
}
static int by_age_name(const void *a, const void *b) {
    const struct rec *x = a, *y = b;
    return x->age != y->age ? x->age - y->age : by_name(a, b);
}
static int by_dbl(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}
static int odd3(const void *a, const void *b) { return memcmp(a, b, 3); }

int main(void) {
    int v[100];
    unsigned s = 5;
    for (int i = 0; i < 100; i++) { s = s * 1664525u + 1013904223u; v[i] = (int)(s >> 20) - 2048; }
    qsort(v, 100, sizeof *v, by_int);
    int ok = 1;
    for (int i = 1; i < 100; i++) ok &= v[i - 1] <= v[i];
    printf("%d %d %d %d\n", ok, v[0], v[50], v[99]);
    int key = v[37];
    int *f = bsearch(&key, v, 100, sizeof *v, by_int);
    printf("%d\n", f && *f == key);
    key = 99999;
    printf("%d %d\n", bsearch(&key, v, 100, sizeof *v, by_int) == 0, bsearch(&key, v, 0, sizeof *v, by_int) == 0);
    qsort(v, 10, sizeof *v, by_int_desc); printf("%d %d\n", v[0] >= v[9], v[0]);
    char t[] = "the quick brown fox"; qsort(t, sizeof t - 1, 1, by_byte); printf("%s\n", t);
    const char *w[] = {"pear", "fig", "apple", "kiwi", "date"};
    qsort(w, 5, sizeof *w, by_str);
    for (int i = 0; i < 5; i++) printf("%s ", w[i]);
    const char *k = "kiwi"; printf("%d\n", (int)((const char **)bsearch(&k, w, 5, sizeof *w, by_str) - w));
    struct rec r[] = {{"zoe", 30, 1.5}, {"adam", 25, 2.5}, {"mia", 30, 0.5}, {"bob", 19, 9}, {"eve", 25, 7}};
    qsort(r, 5, sizeof *r, by_age_name);
    for (int i = 0; i < 5; i++) printf("%s/%d/%g ", r[i].name, r[i].age, r[i].score);
    printf("\n");
    qsort(r, 5, sizeof *r, by_name);
    struct rec q = {"mia", 0, 0}, *m = bsearch(&q, r, 5, sizeof *r, by_name);
    printf("%d %g\n", m->age, m->score);
    double d[] = {3.5, -1e300, 0.0, 1e-300, -2};
    qsort(d, 5, sizeof *d, by_dbl);
    for (int i = 0; i < 5; i++) printf("%g ", d[i]);
    printf("\n");
    char tri[][3] = {{'c', 'a', 't'}, {'a', 'n', 't'}, {'b', 'e', 'e'}, {'a', 'n', 'd'}};
    qsort(tri, 4, 3, odd3);
    printf("%.12s\n", tri[0]);
    int one = 1; qsort(&one, 1, sizeof one, by_int); qsort(&one, 0, sizeof one, by_int); printf("%d\n", one);
    return m->age;
}
