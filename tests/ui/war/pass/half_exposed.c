//! Both bytes are written before the word is read.
#include <brownout.h>

unsigned word = 0x0102;
unsigned seen;

int main(void) {
    unsigned char *bytes = (unsigned char *)&word;
    brownout_checkpoint();
    bytes[0] = 2;
    bytes[1] = 1;
    seen = word;
    word = 0x0304;
    return 0;
}
