//! A binary search tree on malloc: insert, delete, traversals, height, and freeing.
#include <stdio.h>
#include <stdlib.h>

struct t { int k, cnt; struct t *l, *r; };
static struct t *put(struct t *n, int k) {
    if (!n) {
        n = calloc(1, sizeof *n);
        n->k = k;
        n->cnt = 1;
    } else if (k < n->k) n->l = put(n->l, k); else if (k > n->k) n->r = put(n->r, k); else n->cnt++;
    return n;
}
static struct t *del(struct t *n, int k) {
    if (!n) return 0;
    if (k < n->k) n->l = del(n->l, k); else if (k > n->k) n->r = del(n->r, k);
    else if (!n->l || !n->r) { struct t *c = n->l ? n->l : n->r; free(n); return c; }
    else { struct t *m = n->r; while (m->l) m = m->l; n->k = m->k; n->cnt = m->cnt; n->r = del(n->r, m->k); }
    return n;
}
static void in(const struct t *n) { if (n) { in(n->l); printf("%d%s ", n->k, n->cnt > 1 ? "*" : ""); in(n->r); } }
static void pre(const struct t *n) { if (n) { printf("%d ", n->k); pre(n->l); pre(n->r); } }
static int height(const struct t *n) {
    if (!n) return 0;
    int a = height(n->l), b = height(n->r);
    return 1 + (a > b ? a : b);
}
static int size(const struct t *n) { return n ? 1 + size(n->l) + size(n->r) : 0; }
static int freeall(struct t *n) { if (!n) return 0; int c = freeall(n->l) + freeall(n->r) + 1; free(n); return c; }
static void levels(struct t *root) {
    struct t *q[64];
    int h = 0, t = 0;
    q[t++] = root;
    while (h < t) { struct t *n = q[h++]; printf("%d ", n->k); if (n->l) q[t++] = n->l; if (n->r) q[t++] = n->r; }
    printf("\n");
}

int main(void) {
    struct t *root = 0; int x = 7; for (int i = 0; i < 40; i++) { x = x * 31 % 97; root = put(root, x % 50); }
    in(root); printf("\n"); pre(root); printf("\n"); levels(root);
    printf("%d %d\n", height(root), size(root));
    for (int k = 0; k < 50; k += 4) root = del(root, k);
    in(root); printf("\n"); root = del(root, root->k); pre(root); printf("\n%d %d\n", height(root), size(root));
    return freeall(root);
}
