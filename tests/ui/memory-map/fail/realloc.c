//! `realloc` has to move the block: the old one is gone for the re-execution.
//@ nv: heap
#include <brownout.h>
#include <stdlib.h>

int out;

int main(void) {
    int *p = malloc(2 * sizeof *p); //~ NOTE [heap-leak]
    int *wall = malloc(sizeof *wall); //~ NOTE [heap-leak]
    *wall = 1;
    p[0] = 7;
    brownout_checkpoint();
    out = p[0]; //~ NOTE [memory-map] used here
    p = realloc(p, 40 * sizeof *p); //~ ERROR [memory-map] heap block; confirmed
    //~^ NOTE [heap-leak]
    //~| ERROR [memory-map] heap block; confirmed
    p[39] = 1;
    return 0;
}
