//! What is read and what is written are different elements.
#include <brownout.h>

int table[4] = {1, 2, 3, 4};
int seen;

int main(void) {
    brownout_checkpoint();
    seen = table[1];
    table[2] = 9;
    return 0;
}
