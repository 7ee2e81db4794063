//! A block is freed.
//@ nv: heap
#include <brownout.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p); //~ NOTE [heap-leak]
    brownout_checkpoint();
    free(p); //~ ERROR [memory-map] heap block; crash failed-assertion
    return 0;
}
