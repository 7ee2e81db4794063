//! A function that is declared pure reads the record, which is changed afterwards.
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
    record.crc = crc16(&record.level, sizeof record.level);
    record.level = 3; //~ ERROR [war] `record.level`
    return 0;
}
