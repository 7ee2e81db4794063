//! Linked list on malloc inside a small heap, with reuse after free.
#include <stdio.h>
#include <stdlib.h>
struct n { int v; struct n *next; };
static struct n *ins(struct n *l, int v) {
    if (!l || v < l->v) {
        struct n *x = malloc(sizeof *x);
        if (!x) { printf("out of memory\n"); exit(1); }
        x->v = v;
        x->next = l;
        return x;
    }
    struct n *p = l;
    while (p->next && p->next->v <= v) p = p->next;
    p->next = ins(p->next, v);
    return l;
}
static struct n *del_odd(struct n *l) {
    struct n **p = &l;
    while (*p) if ((*p)->v % 2) { struct n *d = *p; *p = d->next; free(d); } else p = &(*p)->next;
    return l;
}
static void show(const struct n *l) { for (; l; l = l->next) printf("%d ", l->v); printf("\n"); }
int main(void) {
    struct n *l = 0;
    for (int r = 0; r < 20; r++) {
        for (int i = 0; i < 30; i++) l = ins(l, (i * 37 + r) % 41);
        if (r % 6 == 0) show(l);
        l = del_odd(l);
        if (r % 6 == 0) show(l);
        while (l) { struct n *t = l->next; free(l); l = t; }
    }
    char *s = malloc(10), *t = malloc(20);
    sprintf(s, "%s", "heap");
    sprintf(t, "%s-%s", s, s);
    printf("%s %s\n", s, t);
    s = realloc(s, 40);
    sprintf(s + 4, "+grown");
    printf("%s %s\n", s, t);
    free(t);
    free(s);
    int *z = calloc(20, sizeof *z);
    int sum = 0;
    for (int i = 0; i < 20; i++) sum += z[i];
    printf("%d\n", sum);
    free(z);
    return 0;
}
