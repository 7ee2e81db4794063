//! A counter in a heap block.
//@ nv: heap
#include <brownout.h>
#include <stdlib.h>

int main(void) {
    int *count = malloc(sizeof *count); //~ NOTE [heap-leak]
    *count = 4;
    brownout_checkpoint();
    *count = *count + 1; //~ ERROR [war] heap block from heap_block.c:7; confirmed
    return 0;
}
