//! One side writes a whole word, the other only its low byte.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

union {
    unsigned short word;
    unsigned char bytes[2];
} port;

int main(void) {
    brownout_checkpoint();
    if (read_adc() > 7) { //~ ERROR [repeated-input] whether `port
        port.word = 0xffff;
    } else {
        port.bytes[0] = 1;
    }
    return 0;
}
