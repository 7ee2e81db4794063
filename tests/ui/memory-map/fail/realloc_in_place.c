//! It grows in place. Doing that again changes nothing, but power may fail in the middle of it.
//@ nv: heap
#include <brownout.h>
#include <stdlib.h>

int out;

int main(void) {
    int *p = malloc(2 * sizeof *p); //~ NOTE [heap-leak]
    p[0] = 7;
    brownout_checkpoint();
    out = p[0]; //~ NOTE [memory-map] used here
    p = realloc(p, 40 * sizeof *p); //~ ERROR [memory-map] heap block; crash
    //~^ NOTE [heap-leak]
    //~| NOTE [memory-map] heap block; benign
    p[39] = 1;
    return 0;
}
