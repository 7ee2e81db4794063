//! The block is not given back.
//@ nv: heap
//@ policy: reactive
//@ depth: 400
#include <stdlib.h>

int out;

int main(void) {
    int *p = malloc(sizeof *p); //~ NOTE [heap-leak]
    *p = 7;
    out = *p;
    return 0;
}
