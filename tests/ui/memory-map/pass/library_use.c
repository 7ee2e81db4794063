//! The checkpoint moved before the allocation.
//@ nv: heap
#include <brownout.h>
#include <stdlib.h>
#include <string.h>

unsigned out;

int main(void) {
    brownout_checkpoint();
    char *text = malloc(8); //~ NOTE [heap-leak]
    strcpy(text, "seven");
    out = strlen(text);
    free(text);
    return 0;
}
