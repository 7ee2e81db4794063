//! Structure copies through pointers, self assignment, arrays of structures and swapping.
#include <stdio.h>

struct node { int key; double w; char tag[7]; struct node *link; };

static void swap(struct node *a, struct node *b) { struct node t = *a; *a = *b; *b = t; }
static void copy_n(struct node *d, const struct node *s, int n) { while (n--) *d++ = *s++; }
static struct node *best(struct node *v, int n) {
    struct node *b = v;
    for (int i = 1; i < n; i++) if (v[i].w > b->w) b = v + i;
    return b;
}

int main(void) {
    struct node v[5];
    for (int i = 0; i < 5; i++) {
        v[i] = (struct node){i * 3 % 5, i * 1.5 - (i == 2) * 4, {(char)('a' + i), 'x', 0}, &v[(i + 2) % 5]};
    }
    for (int i = 0; i < 5; i++) for (int j = 0; j < 4; j++) if (v[j].key > v[j + 1].key) swap(&v[j], &v[j + 1]);
    for (int i = 0; i < 5; i++) printf("%d %g %s ->%d\n", v[i].key, v[i].w, v[i].tag, v[i].link->key);
    struct node w[5]; copy_n(w, v, 5); w[0].tag[0] = 'Z'; *best(w, 5) = w[0];
    for (int i = 0; i < 5; i++) printf("%s ", w[i].tag);
    printf("\n");
    struct node *p = &v[1]; *p = *p->link; printf("%d %s %d\n", v[1].key, v[1].tag, p->link == v[1].link);
    struct node **pp = &p; **pp = v[4]; (*pp)++; printf("%d %s\n", v[1].key, p->tag);
    v[3] = v[3]; printf("%d\n", v[3].key);
    const struct node k = w[2]; struct node l; *(&l) = k; printf("%g %s\n", l.w, l.tag);
    int hops = 0; for (struct node *q = w; hops < 7; q = q->link) { hops++; printf("%d ", q->key); }
    printf("\n");
    return best(v, 5)->key;
}
