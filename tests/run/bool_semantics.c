//! _Bool conversions, arithmetic, bit-fields, arrays, and short-circuit evaluation.
#include <stdio.h>
#include <stdbool.h>

static int calls;
static bool yes(int id) { calls = calls * 10 + id; return true; }
static bool no(int id) { calls = calls * 10 + id; return false; }
struct flags { bool a : 1, b : 1; bool c; unsigned n : 6; };
static bool is_big(double d) { return d > 1e6; }
static bool from_ptr(const void *p) { return p; }

int main(void) {
    bool b = 256;
    printf("%d ", b);
    b = 0.25;
    printf("%d ", b);
    b = "x"[0];
    printf("%d ", b);
    b = -0.0;
    printf("%d\n", b);
    b = 1;
    b += 1;
    printf("%d ", b);
    b -= 1;
    printf("%d ", b);
    b = !b;
    printf("%d ", b);
    b ^= 1;
    printf("%d ", b);
    b |= 4;
    printf("%d\n", b);
    b = 0; b++; printf("%d ", b); b++; printf("%d\n", b);
    printf("%d %d\n", (int)sizeof(bool), true + true);
    calls = 0; int r = yes(1) && no(2) && yes(3); printf("%d %d\n", r, calls);
    calls = 0; r = no(1) || yes(2) || yes(3); printf("%d %d\n", r, calls);
    calls = 0; r = no(1) && yes(2) || yes(3) && !no(4); printf("%d %d\n", r, calls); /* warn-ok */
    calls = 0; r = yes(1) ? no(2) : yes(3); printf("%d %d\n", r, calls);
    struct flags f = {1, 0, 2, 63}; f.b = 4; f.n++; printf("%d %d %d %d\n", f.a, f.b, f.c, f.n);
    bool arr[10]; for (int i = 0; i < 10; i++) arr[i] = i & 4;
    for (int i = 0; i < 10; i++) printf("%d", arr[i]);
    printf("\n%d %d %d %d\n", is_big(1e7), is_big(10), from_ptr(&calls), from_ptr(0));
    printf("%d %d %d\n", !0, !5, !!5);
    bool *p = &arr[4]; *p = *p && arr[0]; printf("%d\n", arr[4]);
    unsigned char raw; bool t = 3; __builtin_memcpy(&raw, &t, 1); printf("%d\n", raw);
    return is_big(2e6) + 1;
}
