//! Read before the checkpoint, summed up in a volatile variable, stored once behind it.
#include <brownout.h>

const unsigned char data[4] = {0x12, 0x34, 0x56, 0x78};
unsigned crc = 0xffff;

int main(void) {
    unsigned sum = crc;
    brownout_checkpoint();
    for (int i = 0; i < 4; i++)
        sum = (sum << 1) ^ data[i];
    crc = sum;
    return 0;
}
