//! Nothing of NVM is saved.
//@ nv: heap
//@ set: power.saves=[]
#include <brownout.h>
#include <stdlib.h>

int out;

int main(void) {
    int *p = malloc(sizeof *p); //~ NOTE [heap-leak]
    *p = 7;
    brownout_checkpoint();
    out = *p; //~ NOTE [memory-map] used here
    free(p); //~ ERROR [memory-map] heap block; confirmed
    //~| ERROR [memory-map] heap block; confirmed
    return 0;
}
