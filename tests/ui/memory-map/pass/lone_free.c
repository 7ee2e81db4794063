//! The checkpoint moved before the allocation.
//@ nv: heap
#include <brownout.h>
#include <stdlib.h>

int main(void) {
    brownout_checkpoint();
    int *p = malloc(sizeof *p); //~ NOTE [heap-leak]
    free(p);
    return 0;
}
