//! Only one byte of the word that was read is overwritten.
#include <brownout.h>

unsigned word = 0x0102;
unsigned seen;

int main(void) {
    unsigned char *bytes = (unsigned char *)&word;
    brownout_checkpoint();
    seen = word; //~ NOTE [war] read here
    bytes[1] = 7; //~ ERROR [war] `word; `seen` = 1794 instead of 258
    return 0;
}
