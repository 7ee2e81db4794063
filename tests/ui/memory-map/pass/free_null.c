//! No block is: `free` of a null pointer does nothing.
//@ nv: heap
#include <brownout.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p); //~ NOTE [heap-leak]
    p = NULL;
    brownout_checkpoint();
    free(p);
    return 0;
}
