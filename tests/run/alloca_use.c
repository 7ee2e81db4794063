//! alloca / __builtin_alloca blocks that live until the function returns.
#include <stdio.h>
#include <string.h>

struct cell { int v; struct cell *next; };

static int list_sum(int n) {
    struct cell *head = 0;
    for (int i = 1; i <= n; i++) {
        struct cell *c = __builtin_alloca(sizeof *c);
        c->v = i * i;
        c->next = head;
        head = c;
    }
    int s = 0, k = 0; for (struct cell *c = head; c; c = c->next) s += c->v * (k++ % 3 + 1);
    return s;
}
static unsigned rev_hash(const char *s) {
    size_t n = strlen(s); char *t = __builtin_alloca(n + 1);
    for (size_t i = 0; i < n; i++) t[i] = s[n - 1 - i];
    t[n] = 0; printf("%s ", t);
    unsigned h = 0; while (*t) h = h * 33 ^ (unsigned char)*t++;
    return h;
}
static int depth(int n) {
    char *p = __builtin_alloca((size_t)n * 4 + 1);
    memset(p, n, (size_t)n * 4 + 1);
    return n ? depth(n - 1) + p[n * 4] : 0;
}
static int conditional(int want) {
    int *p = 0;
    if (want) { p = __builtin_alloca(10 * sizeof *p); for (int i = 0; i < 10; i++) p[i] = i + want; }
    return p ? p[9] : -1;
}

int main(void) {
    printf("%d %d\n", list_sum(5), list_sum(100));
    printf("%u\n", rev_hash("stack string")); printf("%u\n", rev_hash(""));
    printf("%d\n", depth(40));
    printf("%d %d\n", conditional(0), conditional(5));
    char *big = __builtin_alloca(4096); memset(big, 1, 4096); int s = 0; for (int i = 0; i < 4096; i++) s += big[i];
    double *d = __builtin_alloca_with_align(8 * sizeof *d, 256); for (int i = 0; i < 8; i++) d[i] = i * 0.5;
    printf("%d %g %d\n", s, d[7], (int)((unsigned long)d % 32));
    return 0;
}
