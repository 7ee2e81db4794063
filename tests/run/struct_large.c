//! Large structures by value: arguments are private copies, results go through memory.
#include <stdio.h>
#include <string.h>

struct big { int id; char name[24]; double w[5]; long tail; };
struct mat { int m[5][5]; };

static struct big touch(struct big b, int k) {
    b.id += k;
    b.name[0] = (char)('A' + k);
    b.w[k] *= 2;
    b.tail = b.id * 100L;
    return b;
}
static struct mat ident(void) { struct mat r = {{{0}}}; for (int i = 0; i < 5; i++) r.m[i][i] = 1; return r; }
static struct mat mul(struct mat a, struct mat b) {
    struct mat r;
    for (int i = 0; i < 5; i++) for (int j = 0; j < 5; j++) {
        r.m[i][j] = 0;
        for (int k = 0; k < 5; k++) r.m[i][j] += a.m[i][k] * b.m[k][j];
    }
    return r;
}
static struct mat power(struct mat b, int e) {
    struct mat r = ident();
    while (e) { if (e & 1) r = mul(r, b); b = mul(b, b); e >>= 1; }
    return r;
}
static int trace(const struct mat m) { int t = 0; for (int i = 0; i < 5; i++) t += m.m[i][i]; return t; }
static void show(struct big b) { printf("%d %s %g %g %g %ld\n", b.id, b.name, b.w[0], b.w[1], b.w[4], b.tail); }

int main(void) {
    struct big a = {7, "original", {1.5, 2.5, 3.5, 4.5, 5.5}, 99};
    struct big b = touch(a, 1), c = touch(touch(a, 0), 4);
    show(a); show(b); show(c);
    a = b; b.name[1] = '_'; show(a); show(b);
    struct big arr[3] = {a, b, c}; arr[0] = touch(arr[2], 2); memmove(&arr[1], &arr[0], 2 * sizeof *arr);
    for (int i = 0; i < 3; i++) show(arr[i]);
    struct mat m = ident(); m.m[0][1] = 1; m.m[1][2] = 2; m.m[4][0] = -1; m.m[2][2] = 0;
    struct mat p = power(m, 9);
    for (int i = 0; i < 5; i++) { for (int j = 0; j < 5; j++) printf("%d ", p.m[i][j]); printf("\n"); }
    printf("%d %d\n", trace(p), trace(power(m, 0)));
    a = touch(a, 3); show(a);
    return trace(mul(p, p));
}
