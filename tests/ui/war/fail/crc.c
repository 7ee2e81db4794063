//! A checksum that is updated in place while the data is walked.
#include <brownout.h>

const unsigned char data[4] = {0x12, 0x34, 0x56, 0x78};
unsigned crc = 0xffff;

int main(void) {
    brownout_checkpoint();
    for (int i = 0; i < 4; i++)
        crc = (crc << 1) ^ data[i]; //~ ERROR [war] `crc`; confirmed
    return 0;
}
