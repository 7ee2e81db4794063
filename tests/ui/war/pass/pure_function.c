//! A function that is declared pure reads the record after it was changed, and does not write to it.
//@ args: --static
//@ config: pure = ["crc16"]
#include <brownout.h>

unsigned crc16(const void *data, unsigned length);

struct record {
    unsigned crc;
    int level;
} record;

int main(void) {
    brownout_checkpoint();
    record.level = 3;
    record.crc = crc16(&record.level, sizeof record.level);
    return 0;
}
