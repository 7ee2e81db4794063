//! qsort and bsearch over ints, longs, strings and structures.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
struct rec { char n[6]; int32_t k; };
static int ci(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
static int cl(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}
static int cs(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }
static int cr(const void *a, const void *b) {
    const struct rec *x = a, *y = b;
    return x->k != y->k ? (x->k < y->k ? 1 : -1) : strcmp(x->n, y->n);
}
int main(void) {
    int v[25];
    for (int i = 0; i < 25; i++) v[i] = i * 97 % 101 - 50;
    qsort(v, 25, sizeof *v, ci);
    for (int i = 0; i < 25; i++) printf("%d ", v[i]);
    printf("\n");
    int key = v[10];
    int *f = bsearch(&key, v, 25, sizeof *v, ci);
    printf("%d ", f != 0 && *f == key);
    key = 1000;
    printf("%d\n", bsearch(&key, v, 25, sizeof *v, ci) == 0);
    int32_t l[] = {INT32_C(70000), INT32_C(-70000), 5, INT32_MAX, INT32_MIN};
    qsort(l, 5, sizeof *l, cl);
    for (int i = 0; i < 5; i++) printf("%ld ", (long)l[i]);
    printf("\n");
    const char *w[] = {"led", "adc", "pwm", "dma", "rtc", "crc"};
    qsort(w, 6, sizeof *w, cs);
    for (int i = 0; i < 6; i++) printf("%s ", w[i]);
    printf("\n");
    struct rec r[] = {{"one", 1}, {"big", INT32_C(100000)}, {"neg", -1}, {"uno", 1}, {"big2", INT32_C(100000)}};
    qsort(r, 5, sizeof *r, cr);
    for (int i = 0; i < 5; i++) printf("%s:%ld ", r[i].n, (long)r[i].k);
    printf("\n");
    return 0;
}
