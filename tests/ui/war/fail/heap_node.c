//! Members of a structure and elements of an array on the heap, named as the user would.
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
    n->value = -5;
    a[2] = 7;
    brownout_checkpoint();
    n->value = n->value - 1; //~ ERROR [war] `heap block from heap_node.c:13.value`; `heap block from heap_node.c:13.value` = -7 instead of -6
    a[2] = a[2] + 1; //~ ERROR [war] `heap block from heap_node.c:14[2]`; `heap block from heap_node.c:14[2]` = 9 instead of 8
    return 0;
}
