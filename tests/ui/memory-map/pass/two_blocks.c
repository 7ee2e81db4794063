//! A block that is freed was not used since the checkpoint, which came before its allocation.
//@ nv: heap
#include <brownout.h>
#include <stdlib.h>

int out;

int main(void) {
    int *keep = malloc(sizeof *keep); //~ NOTE [heap-leak]
    *keep = 1;
    brownout_checkpoint();
    int *drop = malloc(sizeof *drop); //~ NOTE [heap-leak]
    *drop = 2;
    out = *keep;
    out = *drop;
    free(drop);
    return 0;
}
