//! Function pointer tables, callbacks with context and a dispatch loop.
#include <stdio.h>
#include <stdint.h>
typedef int (*op)(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static const struct { char sym; op f; } ops[] = {{'+', add}, {'-', sub}, {'*', mul}};
static op find(char c) { for (unsigned i = 0; i < 3; i++) if (ops[i].sym == c) return ops[i].f; return 0; }
static int rpn(const char *s) {
    int st[8], n = 0;
    for (; *s; s++) {
        if (*s >= '0' && *s <= '9') st[n++] = *s - '0'; else {
            op f = find(*s);
            if (f) { n--; st[n - 1] = f(st[n - 1], st[n]); }
        }
    }
    return st[0];
}
struct timer { uint16_t due; void (*fn)(struct timer *); int hits; };
static uint16_t now;
static void once(struct timer *t) { t->hits++; t->fn = 0; printf("once@%u ", now); }
static void every(struct timer *t) { t->hits++; t->due = (uint16_t)(t->due + 5u); printf("every@%u ", now); }
static void each(const int *v, int n, void (*f)(int, void *), void *c) { for (int i = 0; i < n; i++) f(v[i], c); }
static void acc(int x, void *c) { *(long *)c += (long)x * 1000; }
int main(void) {
    printf("%d %d %d\n", rpn("34+2*"), rpn("95-3-"), rpn("12345****"));
    printf("%d\n", find('/') == 0);
    struct timer t[2] = {{3, once, 0}, {4, every, 0}};
    for (now = 0; now < 20; now++) for (int i = 0; i < 2; i++) if (t[i].fn && t[i].due == now) t[i].fn(&t[i]);
    printf("\n%d %d\n", t[0].hits, t[1].hits);
    int v[] = {30, 31, 32};
    long s = 0;
    each(v, 3, acc, &s);
    printf("%ld\n", s);
    op *p = (op[]){mul, add};
    printf("%d %d\n", p[0](12, 12), (*p[1])(12, 12));
    return 0;
}
