//! A store into the block is a use of it.
//@ nv: heap
#include <brownout.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p); //~ NOTE [heap-leak]
    brownout_checkpoint();
    *p = 7; //~ NOTE [memory-map] used here
    free(p); //~ ERROR [memory-map] heap block; crash failed-assertion
    //~| ERROR [memory-map] heap block; crash failed-assertion
    return 0;
}
