//! Volatile locals, statics and heap data changed between setjmp and longjmp keep their new values.
#include <stdio.h>
#include <stdlib.h>
#include <setjmp.h>

static jmp_buf jb;
static int global_count;
static void step(int *shared) { global_count++; (*shared) *= 2; if (*shared < 200) longjmp(jb, *shared); }

static int run(void) {
    volatile int i = 1;
    volatile double d = 0.5;
    static int s = 100;
    int *h = malloc(sizeof *h);
    volatile short arr[4] = {0};
    int *volatile keep = h; *h = 3;
    int r = setjmp(jb);
    if (r) { i = i + r; d = d * 1.5; s--; arr[r % 4] = (short)(arr[r % 4] + r); }
    printf("r=%d i=%d d=%g s=%d h=%d arr=%d,%d,%d,%d\n", r, i, d, s, *keep, arr[0], arr[1], arr[2], arr[3]);
    step(keep);
    int v = *keep + i; free(keep);
    return v;
}
struct ctx { jmp_buf jb; int code; const char *msg; };
static void fail(struct ctx *c, int code, const char *m) { c->code = code; c->msg = m; longjmp(c->jb, 1); }
static int parse(struct ctx *c, const char *s) {
    int v = 0;
    if (!*s) fail(c, 1, "empty");
    for (; *s; s++) {
        if (*s < '0' || *s > '9') fail(c, *s, "bad digit");
        v = v * 10 + *s - '0';
        if (v > 9999) fail(c, 3, "too big");
    }
    return v;
}

int main(void) {
    int total = run(); printf("%d %d\n", total, global_count);
    static const char *in[] = {"42", "", "12x", "123456", "0077"};
    static volatile int ok;
    for (volatile int i = 0; i < 5; i++) {
        struct ctx c;
        if (setjmp(c.jb) == 0) { printf("%d\n", parse(&c, in[i])); ok++; } else printf("error %d %s\n", c.code, c.msg);
    }
    return ok;
}
