//! How much of a buffer is filled was read before the checkpoint: with nothing in it, what is looked at was there
//! before.
#include <brownout.h>

int length(void) BROWNOUT_INPUT;
BROWNOUT_NV int buffer[8];
BROWNOUT_NV int first;

int main(void) {
    int filled = length() & 7;
    brownout_checkpoint();
    for (int i = 0; i < filled; i++)
        buffer[i] = i + 1;
    first = buffer[0]; //~ NOTE [war] read here
    buffer[0] = 9; //~ ERROR [war] `buffer[0]`; `first` = 9
    brownout_checkpoint();
    return 0;
}
