//! A list that leads to itself: the node is in it before it counts as used, and a boot that goes through the list
//! does not come to an end.
//@ policy: restart
struct node { int value; struct node *next; };
__attribute__((section(".nv"))) struct node pool[2];
__attribute__((section(".nv"))) struct node *volatile list;
__attribute__((section(".nv"))) volatile unsigned char used;
__attribute__((section(".nv"))) volatile int sum;

int main(void) {
    for (;;) {
        if (used < 2) {
            struct node *node = &pool[used];
            node->value = used;
            node->next = list;
            list = node; //~ ERROR [war] `list`
            used++;
        } else {
            list = 0;
            used = 0;
        }
        int all = 0;
        for (struct node *node = list; node; node = node->next)
            all += node->value + 1;
        sum = all;
    }
}
