//! A list is taken apart: each node is read, then freed.
//@ nv: heap
#include <brownout.h>
#include <stdlib.h>

struct node {
    struct node *next;
};
struct node *head;
int freed;

int main(void) {
    for (int i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node); //~ NOTE [heap-leak]
        node->next = head;
        head = node;
    }
    brownout_checkpoint();
    while (head) {
        struct node *next = head->next; //~ NOTE [memory-map] used here
        free(head); //~ ERROR [memory-map] heap block; confirmed
        //~| ERROR [memory-map] heap block; confirmed
        head = next;
        freed++;
    }
    return 0;
}
