//! Huffman coding: build the tree, print the codes, encode to bits and decode back.
#include <stdio.h>
#include <string.h>
#include <stdlib.h>

struct n { int freq, sym, ord; struct n *l, *r; };
static struct n pool[128]; static int used; static char code[128][32]; static int len[128];
static struct n *mk(int f, int s, struct n *l, struct n *r) {
    struct n *x = &pool[used];
    *x = (struct n){f, s, used, l, r};
    used++;
    return x;
}
static int less(const struct n *a, const struct n *b) {
    return a->freq != b->freq ? a->freq < b->freq : a->ord < b->ord;
}
static struct n *take(struct n **q, int *n) {
    int m = 0;
    for (int i = 1; i < *n; i++) if (less(q[i], q[m])) m = i;
    struct n *r = q[m];
    q[m] = q[--*n];
    return r;
}
static void walk(const struct n *x, char *buf, int d) {
    if (x->l) {
        buf[d] = '0';
        walk(x->l, buf, d + 1);
        buf[d] = '1';
        walk(x->r, buf, d + 1);
    } else { memcpy(code[x->sym], buf, (size_t)d); code[x->sym][d] = 0; len[x->sym] = d; }
}

int main(void) {
    const char *t = "a man a plan a canal panama, and some more letters";
    int f[128] = {0};
    for (const char *p = t; *p; p++) f[(int)*p]++;
    struct n *q[128]; int n = 0; for (int c = 0; c < 128; c++) if (f[c]) q[n++] = mk(f[c], c, 0, 0);
    while (n > 1) { struct n *a = take(q, &n), *b = take(q, &n); q[n++] = mk(a->freq + b->freq, -1, a, b); }
    char buf[32];
    walk(q[0], buf, 0);
    int bits = 0;
    for (int c = 0; c < 128; c++) if (f[c]) { printf("'%c' %d %s\n", c, f[c], code[c]); bits += f[c] * len[c]; }
    unsigned char out[64] = {0};
    int at = 0;
    for (const char *p = t; *p; p++) for (const char *b = code[(int)*p]; *b; b++, at++) if (*b == '1') out[at / 8] |= (unsigned char)(0x80 >> at % 8);
    printf("%d bits of %d:", bits, (int)strlen(t) * 8); for (int i = 0; i < (at + 7) / 8; i++) printf(" %02x", out[i]);
    char back[80];
    int k = 0;
    const struct n *x = q[0];
    for (int i = 0; i < at; i++) {
        x = out[i / 8] >> (7 - i % 8) & 1 ? x->r : x->l;
        if (!x->l) { back[k++] = (char)x->sym; x = q[0]; }
    }
    back[k] = 0;
    printf("\n%s %d\n", back, strcmp(back, t)); return bits & 0x7f;
}
