//! A counter in a heap block: the effect names the block.
//@ nv: heap
#include <brownout.h>
#include <stdlib.h>

int main(void) {
    int *count = malloc(sizeof *count); //~ NOTE [heap-leak]
    *count = 0x1ff;
    brownout_checkpoint();
    *count = *count + 1; //~ ERROR [war] `heap block from heap_block_named.c:7`; `heap block from heap_block_named.c:7` = 513 instead of 512
    return 0;
}
