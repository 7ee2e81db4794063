//! Each block lives in one region.
//@ nv: heap
#include <brownout.h>
#include <stdlib.h>

int out;

int main(void) {
    brownout_checkpoint();
    int *p = malloc(sizeof *p); //~ NOTE [heap-leak]
    *p = 7;
    out = *p;
    free(p);
    brownout_checkpoint();
    int *q = malloc(sizeof *q); //~ NOTE [heap-leak]
    *q = 9;
    return 0;
}
