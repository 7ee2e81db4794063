//! The byte behind it is.
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
    seen = record.value;
    bytes[5] = 9;
    return 0;
}
