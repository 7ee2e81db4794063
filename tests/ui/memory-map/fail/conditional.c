//! The second checkpoint may not commit: what was used before it is freed behind it.
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
    out = *p; //~ NOTE [memory-map] used here
    brownout_checkpoint();
    free(p); //~ ERROR [memory-map] heap block; confirmed
    //~| ERROR [memory-map] heap block; confirmed
    return 0;
}
