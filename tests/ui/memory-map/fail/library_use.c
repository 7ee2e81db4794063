//! A library function uses the block.
//@ nv: heap
#include <brownout.h>
#include <stdlib.h>
#include <string.h>

unsigned out;

int main(void) {
    char *text = malloc(8); //~ NOTE [heap-leak]
    strcpy(text, "seven");
    brownout_checkpoint();
    out = strlen(text); //~ NOTE [memory-map] used here
    free(text); //~ ERROR [memory-map] heap block; confirmed
    //~| ERROR [memory-map] heap block; confirmed
    return 0;
}
