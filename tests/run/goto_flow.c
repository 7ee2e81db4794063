//! goto forward, backward, out of nested loops, into blocks, and cleanup chains.
#include <stdio.h>
#include <stdlib.h>

static int find(int m[4][4], int want) {
    int i, j;
    for (i = 0; i < 4; i++) for (j = 0; j < 4; j++) if (m[i][j] == want) goto found;
    return -1;
found:
    return i * 10 + j;
}
static int acquire(int fail_at) {
    int rc = -1; char *a = 0, *b = 0, *c = 0;
    if (fail_at == 1 || !(a = malloc(10))) goto out;
    if (fail_at == 2 || !(b = malloc(20))) goto free_a;
    if (fail_at == 3 || !(c = malloc(30))) goto free_b;
    rc = 0; printf("all ");
    free(c);
free_b: printf("b "); free(b);
free_a: printf("a "); free(a);
out: printf("rc=%d\n", rc);
    return rc;
}
static unsigned loop_by_goto(unsigned n) {
    unsigned acc = 0;
top: if (!n) goto done;
    acc = acc * 3 + n--;
    if (acc & 1) goto top;
    acc ^= 0x55;
    goto top;
done: return acc;
}
static int into_block(int k) {
    int r = 0;
    if (k) goto inside;
    while (r < 10) { r += 3; inside: r += 1; }
    return r;
}

int main(void) {
    int m[4][4]; for (int i = 0; i < 16; i++) m[i / 4][i % 4] = i * i;
    printf("%d %d %d\n", find(m, 49), find(m, 225), find(m, 7));
    for (int i = 0; i < 5; i++) acquire(i);
    printf("%u %u\n", loop_by_goto(0), loop_by_goto(25));
    printf("%d %d\n", into_block(0), into_block(1));
    int state = 0, steps = 0;
s0: steps++; if (state++ < 3) goto s1; goto end;
s1: steps += 10; if (state % 2) goto s0; goto s2;
s2: steps += 100; goto s0;
end: printf("%d %d\n", state, steps);
    return acquire(2) == -1 ? 5 : 6;
}
