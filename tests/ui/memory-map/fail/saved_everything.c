//! Nothing of NVM is saved.
//@ known-bug: the emulated failure strikes inside `free`, before it frees: 'benign'; and a `free` is not seen to consume what it frees
//@ nv: heap
//@ set: power.saves=[]
#include <brownout.h>
#include <stdlib.h>

int out;

int main(void) {
    int *p = malloc(sizeof *p);
    *p = 7;
    brownout_checkpoint();
    out = *p; //~ NOTE [memory-map] used here
    free(p); //~ ERROR [memory-map] heap block; confirmed
    //~| ERROR [memory-map] heap block; confirmed
    return 0;
}
