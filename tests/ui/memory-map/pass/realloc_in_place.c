//! The checkpoint saves the heap.
//@ nv: heap
//@ set: power.saves=["all"]
#include <brownout.h>
#include <stdlib.h>

int out;

int main(void) {
    int *p = malloc(2 * sizeof *p); //~ NOTE [heap-leak]
    p[0] = 7;
    brownout_checkpoint();
    out = p[0];
    p = realloc(p, 40 * sizeof *p);
    p[39] = 1;
    return 0;
}
