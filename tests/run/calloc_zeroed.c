//! calloc returns zeroed memory even when reusing freed blocks, for many sizes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rec { int id; double w; struct rec *peer; char name[13]; };

int main(void) {
    int dirty = 0;
    for (size_t n = 1; n < 600; n += 37) {
        unsigned char *p = malloc(n); memset(p, 0xa5, n); free(p);
        unsigned char *q = calloc(n, 1); for (size_t i = 0; i < n; i++) dirty += q[i] != 0;
        memset(q, 0x5a, n); free(q);
    }
    printf("%d\n", dirty);
    struct rec *r = calloc(10, sizeof *r); int bad = 0;
    for (int i = 0; i < 10; i++) bad += r[i].id || r[i].w != 0.0 || r[i].peer || r[i].name[0] || r[i].name[12];
    printf("%d\n", bad);
    for (int i = 0; i < 10; i++) {
        r[i].id = i;
        r[i].peer = &r[9 - i];
        snprintf(r[i].name, sizeof r[i].name, "rec-%d", i * 11);
        r[i].w = i / 3.0;
    }
    for (int i = 0; i < 10; i += 3) printf("%s %d %.3f\n", r[i].peer->name, r[i].peer->peer->id, r[i].peer->w);
    free(r);
    long (*g)[8] = calloc(8, sizeof *g);
    long s = 0;
    for (int i = 0; i < 8; i++) { g[i][7 - i] = 1L << i; }
    for (int i = 0; i < 64; i++) s += g[i / 8][i % 8];
    printf("%ld\n", s); free(g);
    void *z = calloc(0, 8); free(z); void *y = malloc(0); free(y); free(NULL);
    char *al = malloc(24); printf("%d\n", (int)((unsigned long)al % 8)); free(al);
    return bad;
}
