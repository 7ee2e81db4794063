//! A binary heap priority queue, heap sort, and Dijkstra's shortest paths on a grid graph.
#include <stdio.h>
#include <limits.h>
struct it { int key, val; }; struct heap { struct it v[256]; int n; };
static void push(struct heap *h, int k, int v) {
    int i = h->n++;
    while (i && h->v[(i - 1) / 2].key > k) { h->v[i] = h->v[(i - 1) / 2]; i = (i - 1) / 2; }
    h->v[i] = (struct it){k, v};
}
static struct it pop(struct heap *h) {
    struct it r = h->v[0], x = h->v[--h->n];
    int i = 0;
    for (;;) {
        int c = 2 * i + 1;
        if (c >= h->n) break;
        if (c + 1 < h->n && h->v[c + 1].key < h->v[c].key) c++;
        if (h->v[c].key >= x.key) break;
        h->v[i] = h->v[c];
        i = c;
    }
    h->v[i] = x;
    return r;
}
int main(void) {
    static struct heap h;
    for (int i = 0; i < 30; i++) push(&h, (i * 17 + 5) % 31, i);
    int last = -1, ok = 1;
    while (h.n) { struct it x = pop(&h); ok &= x.key > last; last = x.key; printf("%d:%d ", x.key, x.val); }
    printf("%d\n", ok);
    enum { W = 8 };
    int cost[W][W], d[W * W], from[W * W];
    for (int i = 0; i < W * W; i++) { cost[i / W][i % W] = (i * 7 + i / W * 5) % 9 + 1; d[i] = INT_MAX; from[i] = -1; }
    d[0] = 0;
    push(&h, 0, 0);
    while (h.n) {
        struct it x = pop(&h);
        if (x.key > d[x.val]) continue;
        int cy = x.val / W, cx = x.val % W;
        static const int dx[] = {1, -1, 0, 0}, dy[] = {0, 0, 1, -1};
        for (int k = 0; k < 4; k++) {
            int ny = cy + dy[k], nx = cx + dx[k];
            if (nx < 0 || ny < 0 || nx >= W || ny >= W) continue;
            int nd = x.key + cost[ny][nx];
            if (nd < d[ny * W + nx]) { d[ny * W + nx] = nd; from[ny * W + nx] = x.val; push(&h, nd, ny * W + nx); }
        }
    }
    for (int i = 0; i < W * W; i++) printf("%3d%s", d[i], i % W == W - 1 ? "\n" : "");
    int hops = 0;
    for (int v = W * W - 1; v > 0; v = from[v]) hops++;
    printf("%d\n", hops);
    return d[W * W - 1];
}
