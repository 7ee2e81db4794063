//! A field at an odd address, of which the last byte is overwritten.
#include <brownout.h>

struct __attribute__((packed)) {
    char tag;
    long value;
    char end;
} record = {1, 0x01020304, 5};
long seen;

int main(void) {
    char *bytes = (char *)&record;
    brownout_checkpoint();
    seen = record.value; //~ NOTE [war] read here
    bytes[4] = 9; //~ ERROR [war] `record.value; `seen` = 151126788 instead of 16909060
    return 0;
}
