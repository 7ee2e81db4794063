//! The byte that is overwritten was not read.
#include <brownout.h>

unsigned word = 0x0102;
unsigned seen;

int main(void) {
    unsigned char *bytes = (unsigned char *)&word;
    brownout_checkpoint();
    seen = bytes[0];
    bytes[1] = 7;
    return 0;
}
