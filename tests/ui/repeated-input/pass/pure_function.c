//! A function that is declared pure makes a checksum of a record, and writes nothing to it.
//@ args: --static
//@ config: pure = ["crc16", "linearise"]
//@ possible: functions without a body are not executed
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;
unsigned crc16(const void *data, unsigned length);
int linearise(int raw);

struct record {
    unsigned crc;
    int level;
} record;
int alarm;

int main(void) {
    brownout_checkpoint();
    record.level = linearise(read_adc());
    record.crc = crc16(&record.level, sizeof record.level);
    if (linearise(7) > 4) {
        alarm = 1;
    }
    return 0;
}
