//! Pointers to pointers: argv-like arrays, list surgery, out parameters and const layering.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct n { int v; struct n *next; };
static void insert(struct n **pp, int v) {
    while (*pp && (*pp)->v < v) pp = &(*pp)->next;
    struct n *x = malloc(sizeof *x);
    x->v = v;
    x->next = *pp;
    *pp = x;
}
static void del(struct n **pp, int v) {
    for (; *pp; pp = &(*pp)->next) if ((*pp)->v == v) { struct n *d = *pp; *pp = d->next; free(d); return; }
}
static void show(struct n *l) { for (; l; l = l->next) printf("%d ", l->v); printf("\n"); }
static int argc_of(char **v) { int n = 0; while (*v++) n++; return n; }
static void swap_str(const char **a, const char **b) { const char *t = *a; *a = *b; *b = t; }
static int alloc_grid(int ***out, int r, int c) {
    int **g = malloc((size_t)r * sizeof *g);
    for (int i = 0; i < r; i++) { g[i] = malloc((size_t)c * sizeof **g); for (int j = 0; j < c; j++) g[i][j] = i ^ j; }
    *out = g;
    return r * c;
}

int main(void) {
    struct n *l = 0; int in[] = {5, 1, 9, 3, 7}; for (int i = 0; i < 5; i++) insert(&l, in[i]);
    show(l); del(&l, 1); del(&l, 9); del(&l, 100); insert(&l, 4); show(l); while (l) del(&l, l->v);
    char *args[] = {"prog", "-x", "file", 0};
    char **av = args;
    printf("%d %s ", argc_of(args), *++av);
    printf("%c %c ", **(av + 1), (*av)[1]);
    printf("%s\n", *++*&av);
    const char *w[] = {"delta", "alpha", "echo", "bravo"};
    for (int i = 0; i < 4; i++) for (int j = 0; j < 3; j++) if (strcmp(w[j], w[j + 1]) > 0) swap_str(&w[j], &w[j + 1]);
    for (int i = 0; i < 4; i++) printf("%s ", w[i]);
    int **g, t = 0;
    printf("\n%d ", alloc_grid(&g, 4, 6));
    for (int i = 0; i < 4; i++) { for (int j = 0; j < 6; j++) t += g[i][j]; free(g[i]); }
    free(g);
    printf("%d\n", t);
    int a = 1, b = 2, *pa = &a, *pb = &b, **q[2] = {&pa, &pb};
    int *tmp = *q[0];
    *q[0] = *q[1];
    *q[1] = tmp;
    **q[0] = 20;
    printf("%d %d %d %d\n", a, b, *pa, *pb);
    int ***ppp = q; printf("%d %d\n", ***ppp, **ppp[1]);
    char **pool = calloc(3, sizeof *pool);
    for (int i = 0; i < 3; i++) { pool[i] = malloc(8); sprintf(pool[i], "s%d", i * 100); }
    printf("%s %s\n", pool[0], pool[2]);
    for (int i = 0; i < 3; i++) free(pool[i]);
    free(pool);
    return b;
}
