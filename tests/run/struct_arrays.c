//! Arrays inside structures copied as values, including arrays of strings and structures.
#include <stdio.h>
#include <string.h>

struct buf { unsigned len; char data[20]; };
struct tab { struct buf rows[3]; int order[3]; };

static struct buf of(const char *s) {
    struct buf b = {0};
    b.len = (unsigned)strlen(s);
    memcpy(b.data, s, b.len);
    return b;
}
static struct buf cat(struct buf a, struct buf b) {
    memcpy(a.data + a.len, b.data, b.len);
    a.len += b.len;
    a.data[a.len] = 0;
    return a;
}
static struct buf rev(struct buf a) {
    for (unsigned i = 0; i < a.len / 2; i++) {
        char t = a.data[i];
        a.data[i] = a.data[a.len - 1 - i];
        a.data[a.len - 1 - i] = t;
    }
    return a;
}
static struct tab sorted(struct tab t) {
    for (int i = 0; i < 3; i++) t.order[i] = i;
    for (int i = 0; i < 3; i++) for (int j = i + 1; j < 3; j++)
        if (strcmp(t.rows[t.order[i]].data, t.rows[t.order[j]].data) > 0) {
            int x = t.order[i];
            t.order[i] = t.order[j];
            t.order[j] = x;
        }
    return t;
}

int main(void) {
    struct buf a = of("forward"), b = rev(a), c = cat(rev(cat(a, of("-"))), of("+tail"));
    printf("%s %s %s %u\n", a.data, b.data, c.data, c.len);
    printf("%c %d\n", of("index").data[2], (int)strlen(cat(of("ab"), of("cde")).data));
    struct tab t = {{of("pear"), of("apple"), of("mango")}, {9, 9, 9}}, s = sorted(t);
    for (int i = 0; i < 3; i++) printf("%s(%d) ", s.rows[s.order[i]].data, t.order[i]);
    printf("\n");
    struct tab *p = &t; p->rows[1] = p->rows[0]; p->rows[0].data[0] = 'b'; *p = sorted(*p);
    for (int i = 0; i < 3; i++) printf("%s ", p->rows[p->order[i]].data);
    printf("\n");
    struct { int v[4]; } x = {{1, 2, 3, 4}}, y = x, z; y.v[2] = 30; z = y; z.v[0] = -1;
    printf("%d %d %d %d\n", x.v[2], y.v[2], z.v[2], y.v[0]);
    return (int)c.len;
}
