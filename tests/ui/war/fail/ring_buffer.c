//! A value is put into a ring twice.
#include <brownout.h>

int ring[4];
int tail;

int main(void) {
    brownout_checkpoint();
    ring[tail] = 9; //~ NOTE [war] read here
    tail = (tail + 1) % 4; //~ ERROR [war] `tail`; `ring[1]` = 9 instead of 0; `tail` = 2 instead of 1
    //~| ERROR [war] `tail`; `ring[1]` = 9 instead of 0; `tail` = 2 instead of 1
    return 0;
}
