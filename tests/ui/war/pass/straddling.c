//! The other bytes of the two words are overwritten.
#include <brownout.h>
#include <string.h>

unsigned char bytes[4] = {1, 2, 3, 4};
unsigned seen;

int main(void) {
    brownout_checkpoint();
    memcpy(&seen, bytes + 1, 2);
    bytes[0] = 9;
    bytes[3] = 9;
    return 0;
}
