//! assert with true conditions has no effect, evaluates its expression, and static_assert at all scopes.
#include <stdio.h>
#include <assert.h>

static_assert(sizeof(char) == 1, "char"); _Static_assert(-1 < 0, "sign");
struct s { int a; _Static_assert(sizeof(int) >= 2, "in struct"); char b; };
static int calls; static int yes(void) { calls++; return 7; }
static int checked_div(int a, int b) { assert(b != 0 && "divisor"); return a / b; }
#undef assert
#define NDEBUG
#include <assert.h>
static int unchecked(int x) { assert(x == yes() + 1000); return x + 1; }
#undef NDEBUG
#include <assert.h>

int main(void) {
    assert(1);
    assert(yes());
    assert((calls++, calls == 2));
    printf("%d\n", calls);
    printf("%d\n", checked_div(20, 4));
    printf("%d %d\n", unchecked(1), calls);
    const char *p = "x";
    assert(p);
    assert(3.5);
    if (p) assert(p[0] == 'x'); else printf("no\n");
    _Static_assert(2 + 2 == 4, "block scope");
    struct s v = {1, 2};
    assert(v.a < v.b);
    printf("done %d\n", (assert(v.a), 5));
    return calls;
}
