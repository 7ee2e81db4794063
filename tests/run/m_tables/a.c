//! Function pointer tables, callbacks and registration across three files (main part).
#include <stdio.h>
#include "defs.h"
static int local(int a, int b) { return a * 100 + b; } const struct op extra[] = {{"local", local}, {0, 0}};
static void visit(const char *n, int v, void *ctx) { int *c = ctx; *c += v; printf("%s=%d ", n, v); }
int main(void) {
    int t = 0, n = run_all(builtin, 9, 4, visit, &t);
    printf("| %d %d\n", n, t);
    t = 0;
    n = run_all(extra, 9, 4, visit, &t);
    printf("| %d %d\n", n, t);
    printf("%d\n", find("max")(3, 8));
    printf("%d %d\n", find("nope") == 0, find("local") == local);
    op_fn *slot = current();
    *slot = local;
    printf("%d ", apply(1, 2));
    *slot = find("sub");
    printf("%d\n", apply(1, 2));
    return calls;
}
