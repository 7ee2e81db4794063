//! Written through another member than it is read through.
#include <brownout.h>

union {
    unsigned word;
    unsigned char bytes[2];
} u = {0x0102};
unsigned seen;

int main(void) {
    brownout_checkpoint();
    seen = u.word; //~ NOTE [war] read here
    u.bytes[1] = 5; //~ ERROR [war] `u; `seen` = 1282 instead of 258
    return 0;
}
