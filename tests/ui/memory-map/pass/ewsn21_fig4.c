//! EWSN'21 Fig. 4, repaired: allocated, used and freed in one region.
//@ nv: heap
#include <stdlib.h>

void checkpoint(void);

int out;

int main(void) {
    checkpoint();
    int *p = malloc(sizeof *p); //~ NOTE [heap-leak]
    *p = 7;
    out = *p;
    free(p);
    return 0;
}
