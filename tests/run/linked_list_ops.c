//! Singly and doubly linked lists on malloc: build, reverse, merge sort, remove, free.
#include <stdio.h>
#include <stdlib.h>

struct n { int v; struct n *next; };
static struct n *cons(int v, struct n *t) { struct n *x = malloc(sizeof *x); x->v = v; x->next = t; return x; }
static struct n *rev(struct n *l) {
    struct n *r = 0;
    while (l) { struct n *t = l->next; l->next = r; r = l; l = t; }
    return r;
}
static struct n *merge(struct n *a, struct n *b) {
    struct n h, *t = &h;
    while (a && b) { struct n **p = a->v <= b->v ? &a : &b; t->next = *p; t = *p; *p = (*p)->next; }
    t->next = a ? a : b;
    return h.next;
}
static struct n *msort(struct n *l) {
    if (!l || !l->next) return l;
    struct n *s = l, *f = l->next;
    while (f && f->next) { s = s->next; f = f->next->next; }
    f = s->next;
    s->next = 0;
    return merge(msort(l), msort(f));
}
static void show(const struct n *l) { for (; l; l = l->next) printf("%d ", l->v); printf("\n"); }
static void drop(struct n *l) { while (l) { struct n *t = l->next; free(l); l = t; } }

struct d { struct d *prev, *next; char c; };
static void dinit(struct d *h) { h->prev = h->next = h; }
static void dadd(struct d *h, char c) {
    struct d *x = malloc(sizeof *x);
    x->c = c;
    x->prev = h->prev;
    x->next = h;
    h->prev->next = x;
    h->prev = x;
}
static void ddel(struct d *x) { x->prev->next = x->next; x->next->prev = x->prev; free(x); }

int main(void) {
    struct n *l = 0;
    unsigned s = 1;
    for (int i = 0; i < 30; i++) { s = s * 1103515245u + 12345u; l = cons((int)(s >> 16) % 100, l); }
    show(l); l = rev(l); show(l); l = msort(l); show(l);
    struct n **p = &l;
    while (*p) if ((*p)->v % 3 == 0) { struct n *x = *p; *p = x->next; free(x); } else p = &(*p)->next;
    show(l); drop(l);
    struct d h; dinit(&h); for (char c = 'a'; c <= 'j'; c++) dadd(&h, c);
    for (struct d *x = h.next; x != &h;) {
        struct d *nx = x->next;
        if (x->c == 'c' || x->c == 'a' || x->c == 'j') ddel(x);
        x = nx;
    }
    for (struct d *x = h.prev; x != &h; x = x->prev) putchar(x->c);
    putchar('\n'); int n = 0; while (h.next != &h) { ddel(h.next); n++; }
    return n;
}
