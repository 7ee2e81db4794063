//! It grows in place: doing it again changes nothing.
//@ nv: heap
#include <brownout.h>
#include <stdlib.h>

int out;

int main(void) {
    int *p = malloc(2 * sizeof *p);
    p[0] = 7;
    brownout_checkpoint();
    out = p[0]; //~ NOTE [memory-map] used here
    p = realloc(p, 40 * sizeof *p); //~ NOTE [memory-map] heap block; benign
    //~| NOTE [memory-map] heap block; benign
    p[39] = 1;
    return 0;
}
