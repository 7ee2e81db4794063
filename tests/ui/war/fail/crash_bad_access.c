//! The pointer that is followed is null the second time.
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
