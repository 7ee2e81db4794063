//! Both are written before they are read.
//@ nv: heap
#include <brownout.h>
#include <stdlib.h>

struct node {
    char kind;
    int value;
    struct node *next;
};

int main(void) {
    struct node *n = malloc(sizeof *n); //~ NOTE [heap-leak]
    int *a = malloc(4 * sizeof *a); //~ NOTE [heap-leak]
    brownout_checkpoint();
    n->value = -5;
    a[2] = 7;
    n->value = n->value - 1;
    a[2] = a[2] + 1;
    return 0;
}
