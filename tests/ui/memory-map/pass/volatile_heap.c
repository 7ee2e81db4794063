//! With the heap in volatile memory, which the checkpoint saves.
//@ nv: globals
#include <brownout.h>
#include <stdlib.h>

int out;

int main(void) {
    int *p = malloc(sizeof *p);
    *p = 7;
    brownout_checkpoint();
    out = *p;
    free(p);
    return 0;
}
