//! A checksum over a packet that is made anew in every attempt. Compilers turn the loop into a table of 512 bytes.
//@ verdict: proved
#include <brownout.h>
#include <stdint.h>
#include <stddef.h>
BROWNOUT_NV uint8_t packet[34];
BROWNOUT_NV uint16_t flags;
uint8_t receive(void) BROWNOUT_INPUT;
void acknowledge(uint16_t sum) BROWNOUT_OUTPUT();

static uint16_t checksum(const uint8_t *bytes, size_t count)
{
    uint16_t sum = 0xffff;
    while (count--) {
        sum ^= *bytes++;
        for (int bit = 0; bit < 8; bit++)
            sum = sum & 1 ? sum >> 1 ^ 0xa001 : sum >> 1;
    }
    return sum;
}

int main(void)
{
    brownout_checkpoint();
    for (int i = 0; i < 32; i++)
        packet[i] = receive();
    uint16_t sum = checksum(packet, 32);
    packet[32] = sum & 0xff;
    packet[33] = sum >> 8;
    if (packet[0] & 1)
        packet[1] = packet[2];
    acknowledge(checksum(packet, 34));
    flags |= 1;
    brownout_checkpoint();
    return 0;
}
