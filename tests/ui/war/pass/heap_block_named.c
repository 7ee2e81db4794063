//! The block is saved.
//@ nv: heap
#include <brownout.h>
#include <stdlib.h>

int main(void) {
    int *count = malloc(sizeof *count); //~ NOTE [heap-leak]
    *count = 0x1ff;
    brownout_checkpoint_with(count, sizeof *count);
    *count = *count + 1;
    return 0;
}
