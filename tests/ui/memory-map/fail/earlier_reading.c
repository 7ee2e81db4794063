//! A reading of an earlier region decides whether a block is given back and handed out again.
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
    block[0] = 1;
    int chosen = mode();
    brownout_checkpoint();
    if (chosen == 2) {
        first = block[0];
        free(block); //~ ERROR [memory-map] heap block
        //~^ ERROR [memory-map] heap block
        unsigned char *other = malloc(4); //~ NOTE [memory-map] heap block; benign
        //~^ NOTE [memory-map] heap block; benign
        other[0] = 9;
    }
    brownout_checkpoint();
    return 0;
}
