//! Bytes are copied to a packet, then overwritten; the branch is on nothing that came from the input.
//@ args: --static
#include <brownout.h>
#include <string.h>

int read_adc(void) BROWNOUT_INPUT;

unsigned char packet[8];
unsigned char header[2];
int relayed;

int main(void) {
    brownout_checkpoint();
    int now = read_adc();
    memcpy(packet + 4, &now, sizeof now);
    memcpy(packet + 4, header, sizeof header);
    if (packet[5]) {
        relayed = 1;
    }
    return 0;
}
