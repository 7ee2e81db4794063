//! A checkpoint before the head moves.
#include <brownout.h>

struct node {
    int value;
    struct node *next;
};
struct node pool[2];
struct node *head;
int length;

int main(void) {
    int n = 0;
    brownout_checkpoint();
    pool[0].next = head;
    brownout_checkpoint();
    head = &pool[0];
    for (struct node *p = head; p; p = p->next)
        n++;
    length = n;
    return 0;
}
