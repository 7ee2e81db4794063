//! Flexible array members allocated on the heap and zero-length arrays.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stddef.h>

struct msg { unsigned short len; unsigned char type; char body[]; };
struct ints { size_t n; int v[]; };
struct old { char tag; int v[0]; };
static struct msg fixed = {5, 2, {'h', 'e', 'l', 'l', 'o'}};

static struct msg *mk(int type, const char *s) {
    size_t n = strlen(s); struct msg *m = malloc(sizeof *m + n + 1);
    m->len = (unsigned short)n; m->type = (unsigned char)type; memcpy(m->body, s, n + 1); return m;
}
static struct ints *push(struct ints *a, int x) {
    size_t n = a ? a->n : 0; a = realloc(a, sizeof *a + (n + 1) * sizeof a->v[0]); a->v[n] = x; a->n = n + 1; return a;
}

int main(void) {
    printf("%d %d %d %d\n", (int)sizeof(struct msg), (int)offsetof(struct msg, body), (int)sizeof(struct old), (int)offsetof(struct old, v));
    struct msg *m[3] = {mk(1, "first"), mk(7, ""), mk(9, "a longer message body here")};
    for (int i = 0; i < 3; i++) printf("%d %d <%s>\n", m[i]->type, m[i]->len, m[i]->body);
    m[0]->body[0] = 'F'; printf("%s %.*s\n", m[0]->body, (int)fixed.len, fixed.body);
    for (int i = 0; i < 3; i++) free(m[i]);
    struct ints *a = 0; for (int i = 0; i < 50; i++) a = push(a, i * i - 20 * i);
    long s = 0; int lo = 0; for (size_t i = 0; i < a->n; i++) { s += a->v[i]; if (a->v[i] < a->v[lo]) lo = (int)i; }
    printf("%ld %d %d\n", s, lo, a->v[lo]); free(a);
    struct old *o = malloc(sizeof *o + 4 * sizeof(int)); o->tag = 't'; for (int i = 0; i < 4; i++) o->v[i] = 1 << i;
    printf("%c %d\n", o->tag, o->v[0] + o->v[1] + o->v[2] + o->v[3]); free(o);
    return fixed.len;
}
