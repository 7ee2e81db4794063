//! Used in one function, freed in another.
//@ nv: heap
#include <brownout.h>
#include <stdlib.h>

int out;

static void use(const int *p) {
    out = *p; //~ NOTE [memory-map] used here
}

static void drop(int *p) {
    free(p); //~ ERROR [memory-map] heap block from freed_in_callee.c; confirmed
    //~| ERROR [memory-map] heap block from freed_in_callee.c; confirmed
}

int main(void) {
    int *p = calloc(1, sizeof *p); //~ NOTE [heap-leak]
    brownout_checkpoint();
    use(p);
    drop(p);
    return 0;
}
