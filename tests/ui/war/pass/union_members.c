//! Write before read, through the other member.
#include <brownout.h>

union {
    unsigned word;
    unsigned char bytes[2];
} u = {0x0102};
unsigned seen;

int main(void) {
    brownout_checkpoint();
    u.bytes[0] = 1;
    u.bytes[1] = 5;
    seen = u.word;
    return 0;
}
