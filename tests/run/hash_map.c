//! A chained hash map with string keys that grows, plus an open-addressing integer set.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct e { char *key; int val; struct e *next; };
struct map { struct e **b; unsigned cap, n; };
static unsigned hash(const char *s) {
    unsigned h = 2166136261u;
    while (*s) h = (h ^ (unsigned char)*s++) * 16777619u;
    return h;
}
static void grow(struct map *m) {
    unsigned nc = m->cap ? m->cap * 2 : 4; struct e **nb = calloc(nc, sizeof *nb);
    for (unsigned i = 0; i < m->cap; i++) for (struct e *x = m->b[i], *nx; x; x = nx) {
        nx = x->next;
        unsigned h = hash(x->key) & (nc - 1);
        x->next = nb[h];
        nb[h] = x;
    }
    free(m->b); m->b = nb; m->cap = nc;
}
static int *at(struct map *m, const char *k) {
    if (m->n >= m->cap) grow(m);
    struct e **p = &m->b[hash(k) & (m->cap - 1)];
    for (struct e *x = *p; x; x = x->next) if (!strcmp(x->key, k)) return &x->val;
    struct e *x = malloc(sizeof *x);
    x->key = malloc(strlen(k) + 1);
    strcpy(x->key, k);
    x->val = 0;
    x->next = *p;
    *p = x;
    m->n++;
    return &x->val;
}
static int cmp(const void *a, const void *b) {
    return strcmp((*(struct e *const *)a)->key, (*(struct e *const *)b)->key);
}

#define CAP 64
static int set[CAP]; static unsigned char used[CAP];
static int add(int v) {
    unsigned i = (unsigned)v * 2654435761u % CAP;
    while (used[i]) { if (set[i] == v) return 0; i = (i + 1) % CAP; }
    used[i] = 1;
    set[i] = v;
    return 1;
}

int main(void) {
    const char *text = "the cat and the dog and the bird saw the cat run and the dog sleep while a bird sang to a cat";
    struct map m = {0};
    char w[16];
    int k = 0;
    for (const char *p = text;; p++) {
        if (*p && *p != ' ') w[k++] = *p; else { w[k] = 0; k = 0; ++*at(&m, w); if (!*p) break; }
    }
    struct e *all[32];
    unsigned n = 0;
    for (unsigned i = 0; i < m.cap; i++) for (struct e *x = m.b[i]; x; x = x->next) all[n++] = x;
    qsort(all, n, sizeof *all, cmp); for (unsigned i = 0; i < n; i++) printf("%s:%d ", all[i]->key, all[i]->val);
    printf("\n%u %u\n", m.n, m.cap);
    for (unsigned i = 0; i < n; i++) { free(all[i]->key); free(all[i]); } free(m.b);
    int fresh = 0; for (int i = 0; i < 200; i++) fresh += add(i * i % 53); printf("%d\n", fresh);
    return (int)n;
}
