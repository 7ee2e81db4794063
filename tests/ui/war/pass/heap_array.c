//! The result goes to another block.
//@ nv: heap
#include <brownout.h>
#include <stdlib.h>

int main(void) {
    int *a = calloc(4, sizeof *a); //~ NOTE [heap-leak]
    int *b = calloc(4, sizeof *b); //~ NOTE [heap-leak]
    brownout_checkpoint();
    for (int i = 0; i < 4; i++)
        b[i] = a[i] + 1;
    return b[0];
}
