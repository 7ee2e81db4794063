//! Pushed twice, a node is its own successor: walking the list never ends.
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
    pool[0].next = head; //~ NOTE [war] read here
    head = &pool[0]; //~ ERROR [war] `head`; no-progress
    for (struct node *p = head; p; p = p->next)
        n++;
    length = n;
    return 0;
}
