//! Of two blocks one is freed: the other is none of its business.
//@ known-bug: the emulated failure strikes inside `free`, before it frees: 'benign'; and a `free` is not seen to consume what it frees
//@ nv: heap
#include <brownout.h>
#include <stdlib.h>

int out;

int main(void) {
    int *keep = malloc(sizeof *keep);
    *keep = 1;
    int *drop = malloc(sizeof *drop);
    *drop = 2;
    brownout_checkpoint();
    out = *keep;
    out = *drop; //~ NOTE [memory-map] used here
    free(drop); //~ ERROR [memory-map] heap block from two_blocks.c; confirmed
    //~| ERROR [memory-map] heap block from two_blocks.c; confirmed
    return 0;
}
