//! A checksum over a block that is received piece by piece; the remainder is kept in memory.
#include <brownout.h>
int receive(void) BROWNOUT_INPUT;
BROWNOUT_NV unsigned char block[8];
BROWNOUT_NV unsigned short remainder;
BROWNOUT_NV unsigned char good, bad;
static unsigned short step(unsigned short crc, unsigned char byte) {
    crc ^= byte;
    for (unsigned char bit = 0; bit < 8; bit++)
        crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1;
    return crc;
}
int main(void) {
    for (;;) {
        brownout_checkpoint();
        for (unsigned char i = 0; i < 8; i++)
            block[i] = receive();
        remainder = 0xffff;
        brownout_checkpoint();
        unsigned short crc = remainder;
        for (unsigned char i = 0; i < 8; i++)
            crc = step(crc, block[i]);
        remainder = crc;
        brownout_checkpoint();
        if (remainder == 0)
            good = good + 1;
        else
            bad = bad + 1;
    }
}
