//! A field of a status word is cut out of a reading and compared; both sides write.
//@ args: --static
#include <brownout.h>

#include <stdint.h>

uint32_t status(void) BROWNOUT_INPUT;

int fault;

int main(void) {
    brownout_checkpoint();
    uint32_t word = status() ^ 0x00a50000u;
    uint8_t code = (word & 0x00fff000u) >> 12;
    fault = code == 0x77;
    return 0;
}
