//! A counter in a heap block: the effect names the block.
//@ known-bug: effects on heap blocks are told of `heap`, and byte by byte
//@ nv: heap
#include <brownout.h>
#include <stdlib.h>

int main(void) {
    int *count = malloc(sizeof *count);
    *count = 0x1ff;
    brownout_checkpoint();
    *count = *count + 1; //~ ERROR [war] `heap block from heap_block_named.c:8`; `heap block from heap_block_named.c:8` = 
    return 0;
}
