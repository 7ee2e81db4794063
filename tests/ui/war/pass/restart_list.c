//! How many nodes are used is all that says what is in the list.
//@ policy: restart
struct node { int value; struct node *next; };
__attribute__((section(".nv"))) struct node pool[2];
__attribute__((section(".nv"))) volatile unsigned char used;
__attribute__((section(".nv"))) volatile int sum;

int main(void) {
    for (;;) {
        if (used < 2) {
            struct node *node = &pool[used];
            node->value = used;
            node->next = used ? node - 1 : 0;
            used++;
        } else {
            used = 0;
        }
        int all = 0;
        for (struct node *node = used ? &pool[used - 1] : 0; node; node = node->next)
            all += node->value + 1;
        sum = all;
    }
}
