//! The block is not given back.
//@ nv: heap
//@ policy: conditional
//@ depth: 2000
#include <brownout.h>
#include <stdlib.h>

int out;

int main(void) {
    int *p = malloc(sizeof *p); //~ NOTE [heap-leak]
    *p = 7;
    brownout_checkpoint();
    out = *p;
    brownout_checkpoint();
    out = 8;
    return 0;
}
