//! A device that makes checkpoints itself may do so right before each use.
//@ nv: heap
//@ policy: reactive
//@ depth: 400
#include <stdlib.h>

int out;

int main(void) {
    int *p = malloc(sizeof *p); //~ NOTE [heap-leak]
    *p = 7; //~ NOTE [memory-map] used here
    out = *p; //~ NOTE [memory-map] used here
    free(p); //~ ERROR [memory-map] heap block; confirmed
    //~| ERROR [memory-map] heap block; confirmed
    //~| ERROR [memory-map] heap block; confirmed
    return 0;
}
