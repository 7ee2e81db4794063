//! Built and taken apart in one region.
//@ nv: heap
#include <brownout.h>
#include <stdlib.h>

struct node {
    struct node *next;
};
struct node *head;
int freed;

int main(void) {
    brownout_checkpoint();
    for (int i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node); //~ NOTE [heap-leak]
        node->next = head;
        head = node;
    }
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
        freed++;
    }
    return 0;
}
