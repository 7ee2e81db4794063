//! EWSN'21 Fig. 4: the block is used again after it was freed, and freed again.
//@ nv: heap
#include <stdlib.h>

void checkpoint(void);

int out;

int main(void) {
    int *p = malloc(sizeof *p); //~ NOTE [heap-leak]
    *p = 7;
    checkpoint();
    out = *p; //~ NOTE [memory-map] used here
    free(p); //~ ERROR [memory-map] heap block; confirmed
    //~| ERROR [memory-map] heap block; confirmed
    return 0;
}
