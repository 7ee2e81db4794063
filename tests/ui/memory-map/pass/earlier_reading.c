//! The block is given back after the checkpoint that ends its use.
//@ nv: globals,heap
//@ config: [[input]]
//@ config: function = "mode"
//@ config: range = [0, 3]
#include <brownout.h>
#include <stdlib.h>

int mode(void) BROWNOUT_INPUT;
unsigned char first;
unsigned char *block;

int main(void) {
    block = malloc(4); //~ NOTE [heap-leak] leaks
    if (!block)
        return 1;
    block[0] = 1;
    int chosen = mode();
    brownout_checkpoint();
    if (chosen == 2)
        first = block[0];
    brownout_checkpoint();
    return 0;
}
