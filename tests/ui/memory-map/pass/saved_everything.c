//! Every checkpoint saves all of NVM, the heap too.
//@ nv: heap
//@ set: power.saves=["all"]
#include <brownout.h>
#include <stdlib.h>

int out;

int main(void) {
    int *p = malloc(sizeof *p); //~ NOTE [heap-leak]
    *p = 7;
    brownout_checkpoint();
    out = *p;
    free(p);
    return 0;
}
