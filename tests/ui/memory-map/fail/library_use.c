//! A library function uses the block.
//@ known-bug: the emulated failure strikes inside `free`, before it frees: 'benign'; and a `free` is not seen to consume what it frees
//@ nv: heap
#include <brownout.h>
#include <stdlib.h>
#include <string.h>

unsigned out;

int main(void) {
    char *text = malloc(8);
    strcpy(text, "seven");
    brownout_checkpoint();
    out = strlen(text); //~ NOTE [memory-map] used here
    free(text); //~ ERROR [memory-map] heap block; confirmed
    //~| ERROR [memory-map] heap block; confirmed
    return 0;
}
