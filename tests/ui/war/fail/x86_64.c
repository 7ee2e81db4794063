//! Another target: 64-bit pointers.
//@ target: x86_64
#include <brownout.h>

int cell = 5;
int *head = &cell;
int seen;

int main(void) {
    brownout_checkpoint();
    seen = *head; //~ NOTE [war] read here
    head = 0; //~ ERROR [war] `head`; crash bad-access
    return 0;
}
