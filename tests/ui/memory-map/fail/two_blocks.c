//! Of two blocks one is freed: the other is none of its business.
//@ nv: heap
#include <brownout.h>
#include <stdlib.h>

int out;

int main(void) {
    int *keep = malloc(sizeof *keep); //~ NOTE [heap-leak]
    *keep = 1;
    int *drop = malloc(sizeof *drop); //~ NOTE [heap-leak]
    *drop = 2;
    brownout_checkpoint();
    out = *keep;
    out = *drop; //~ NOTE [memory-map] used here
    free(drop); //~ ERROR [memory-map] heap block from two_blocks.c; confirmed
    //~| ERROR [memory-map] heap block from two_blocks.c; confirmed
    return 0;
}
