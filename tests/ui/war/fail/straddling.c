//! Two bytes are read across the middle of two words, one of which is overwritten.
#include <brownout.h>
#include <string.h>

unsigned char bytes[4] = {1, 2, 3, 4};
unsigned seen;

int main(void) {
    brownout_checkpoint();
    memcpy(&seen, bytes + 1, 2); //~ NOTE [war] read here
    bytes[2] = 9; //~ ERROR [war] `bytes[2]`; `seen` = 2306 instead of 770
    return 0;
}
