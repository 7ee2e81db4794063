//! Structures by value, varargs and static constructors across files (main part).
#include <stdio.h>
#include "types.h"
static volatile int order[8], at;
/* volatile, else the optimiser runs the default-priority constructor early */ void note(int k) { order[at++] = k; }
__attribute__((constructor(201))) static void early(void) { note(1); }
__attribute__((constructor)) static void late(void) { note(3); }
int main(void) {
    printf("%d:", at);
    for (int i = 0; i < at; i++) printf(" %d", order[i]);
    struct vec v = add(mk(1, 2, 3), mk(0.5, 0.25, -3));
    printf("\n%g %g %g\n", v.x, v.y, v.z);
    struct small s = flip((struct small){1, -2, 'c'});
    printf("%d %d %c\n", s.a, s.b, s.c);
    printf("%g\n", sum(3, mk(1, 1, 1), mk(2, 2, 2), mk(3, 3, 3)));
    struct deck d = shuffled(4);
    struct deck e = d;
    e.cards[0] = -1;
    printf("%d %d %d %d\n", d.cards[0], d.cards[1], d.cards[51], checksum(e) - checksum(d));
    printf("%.3f %s\n", (double)quarter, version);
    return at;
}
