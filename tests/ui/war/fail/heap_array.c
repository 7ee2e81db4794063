//! An array on the heap, walked by a loop: one defect.
//@ nv: heap
#include <brownout.h>
#include <stdlib.h>

int main(void) {
    int *a = calloc(4, sizeof *a); //~ NOTE [heap-leak]
    int *b = calloc(4, sizeof *b); //~ NOTE [heap-leak]
    brownout_checkpoint();
    for (int i = 0; i < 4; i++)
        a[i] = a[i] + 1; //~ ERROR [war] heap block from heap_array.c:7; confirmed
    return b[0];
}
