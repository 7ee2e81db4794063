//! Cleared in the next region.
#include <brownout.h>

int cell = 5;
int *head = &cell;
int seen;

int main(void) {
    brownout_checkpoint();
    seen = *head;
    brownout_checkpoint();
    head = 0;
    return 0;
}
