//! Callbacks with context pointers, map/filter/fold and an event list.
#include <stdio.h>

typedef void (*visit)(int, void *);
static void each(const int *v, int n, visit f, void *ctx) { for (int i = 0; i < n; i++) f(v[i], ctx); }
static void total(int x, void *c) { *(long *)c += x; }
struct minmax { int lo, hi, n; };
static void track(int x, void *c) {
    struct minmax *m = c;
    if (!m->n++ || x < m->lo) m->lo = x;
    if (m->n == 1 || x > m->hi) m->hi = x;
}
static int filter(int *v, int n, int (*keep)(int, int), int arg) {
    int k = 0;
    for (int i = 0; i < n; i++) if (keep(v[i], arg)) v[k++] = v[i];
    return k;
}
static int multiple(int x, int k) { return x % k == 0; }
static int above(int x, int k) { return x > k; }
static long fold(const int *v, int n, long init, long (*f)(long, int)) {
    for (int i = 0; i < n; i++) init = f(init, v[i]);
    return init;
}
static long horner(long a, int x) { return a * 3 + x; }

struct event { int when; void (*fire)(struct event *); struct event *next; const char *tag; };
static struct event *queue;
static void post(struct event *e) {
    struct event **pp = &queue;
    while (*pp && (*pp)->when <= e->when) pp = &(*pp)->next;
    e->next = *pp;
    *pp = e;
}
static void say(struct event *e) { printf("t=%d %s\n", e->when, e->tag); }
static void again(struct event *e) { say(e); if (e->when < 30) { e->when += 12; post(e); } }

int main(void) {
    int v[12]; for (int i = 0; i < 12; i++) v[i] = (i * 37 + 11) % 50 - 10;
    long t = 0; each(v, 12, total, &t);
    struct minmax m = {0}; each(v, 12, track, &m);
    printf("%ld %d %d %d\n", t, m.lo, m.hi, m.n);
    printf("%ld\n", fold(v, 12, 1, horner));
    int n = filter(v, 12, above, 0); printf("%d:", n); n = filter(v, n, multiple, 2);
    for (int i = 0; i < n; i++) printf(" %d", v[i]);
    printf("\n");
    struct event a = {10, say, 0, "single"}, b = {5, again, 0, "repeat"}, c = {17, say, 0, "tie"}, d = {20, say, 0, "late"};
    post(&a); post(&b); post(&c); post(&d);
    while (queue) { struct event *e = queue; queue = e->next; e->fire(e); }
    return n;
}
