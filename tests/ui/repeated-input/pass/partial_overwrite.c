//! One side writes a whole word, the other both of its bytes.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

union {
    unsigned short word;
    unsigned char bytes[2];
} port;

int main(void) {
    brownout_checkpoint();
    if (read_adc() > 7) {
        port.word = 0xffff;
    } else {
        port.bytes[0] = 1;
        port.bytes[1] = 1;
    }
    return 0;
}
