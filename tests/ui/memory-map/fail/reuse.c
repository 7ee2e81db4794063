//! A freed block is handed out again: the re-execution uses and frees the new owner's.
//@ nv: heap
#include <brownout.h>
#include <stdlib.h>

int out;

int main(void) {
    int *p = malloc(sizeof *p); //~ NOTE [heap-leak]
    *p = 7;
    brownout_checkpoint();
    out = *p; //~ NOTE [memory-map] used here
    free(p); //~ ERROR [memory-map] heap block from reuse.c; confirmed
    //~| ERROR [memory-map] heap block from reuse.c; confirmed
    //~^^ NOTE [memory-map] used here
    int *q = malloc(sizeof *q); //~ NOTE [memory-map] heap block from reuse.c
    //~^ NOTE [heap-leak]
    //~| NOTE [memory-map] heap block from reuse.c
    *q = 9;
    return 0;
}
