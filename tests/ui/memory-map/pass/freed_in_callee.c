//! The checkpoint moved before the allocation.
//@ nv: heap
#include <brownout.h>
#include <stdlib.h>

int out;

static void use(const int *p) {
    out = *p;
}

static void drop(int *p) {
    free(p);
}

int main(void) {
    brownout_checkpoint();
    int *p = calloc(1, sizeof *p); //~ NOTE [heap-leak]
    use(p);
    drop(p);
    return 0;
}
