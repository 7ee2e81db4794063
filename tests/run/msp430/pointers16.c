//! 16-bit pointers: differences, round trips through uintptr_t, arrays of pointers and function pointers.
#include <stdio.h>
#include <stdint.h>
static long table[6];
static int twice(int x) { return 2 * x; }
struct n { struct n *next; char tag; int (*f)(int); };
static struct n ring[3] = {{&ring[1], 'a', twice}, {&ring[2], 'b', 0}, {&ring[0], 'c', twice}};
_Static_assert(sizeof(struct n) == 6 && sizeof table == 24, "msp430 layout");
int main(void) {
    long *p = table, *q = &table[5];
    printf("%d %d\n", (int)(q - p), (int)((char *)q - (char *)p));
    uintptr_t u = (uintptr_t)q;
    printf("%d %d\n", (long *)u == q, (int)(u - (uintptr_t)p));
    printf("%d %d\n", (int)sizeof p, (int)sizeof ring[0]);
    printf("%d\n", (int)((char *)&ring[2] - (char *)&ring[0]));
    printf("%c %d\n", ring[0].next->next->tag, ring[2].next == ring);
    printf("%d %d\n", ring[0].f(21), ring[1].f == 0);
    long x = (long)(uintptr_t)&table[1] - (long)(uintptr_t)table;
    printf("%ld\n", x);
    int *null = 0;
    printf("%d %u\n", !null, (unsigned)(uintptr_t)null);
    char *const names[] = {"ab", "cde"};
    printf("%d %c\n", (int)sizeof names, names[1][2]);
    unsigned idx = 65535u;
    printf("%d\n", (int)(&table[2] + (int)idx == &table[1]));
    return 0;
}
