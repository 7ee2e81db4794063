//! The low byte is written before the word is read, the high byte is not: that one is exposed.
#include <brownout.h>

unsigned word = 0x0102;
unsigned seen;

int main(void) {
    unsigned char *bytes = (unsigned char *)&word;
    brownout_checkpoint();
    bytes[0] = 2;
    seen = word; //~ NOTE [war] read here
    word = 0x0304; //~ ERROR [war] `word; `seen` = 770 instead of 258
    return 0;
}
