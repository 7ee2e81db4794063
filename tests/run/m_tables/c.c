//! Function pointer tables, callbacks and registration across three files (registry part).
#include <string.h>
#include "defs.h"
static const struct op *const all[] = {builtin, extra};
int run_all(const struct op *t, int a, int b, visit_fn v, void *ctx) {
    int n = 0;
    for (; t->name; t++, n++) v(t->name, t->fn(a, b), ctx);
    return n;
}
op_fn find(const char *s) {
    for (unsigned i = 0; i < 2; i++) for (const struct op *p = all[i]; p->name; p++) if (!strcmp(p->name, s)) return p->fn;
    return 0;
}
