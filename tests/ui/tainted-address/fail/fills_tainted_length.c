//! A first byte says how many more are fetched to a buffer in non-volatile memory.
//@ args: --static
//@ nv: symbol:payload
//@ config: [[input]]
//@ config: function = "radio_fetch"
//@ config: fills = "arg0"
//@ config: length = "arg1"
#include <brownout.h>

void radio_fetch(void *to, unsigned int bytes);

unsigned char payload[32];
unsigned char other;

int main(void) {
    unsigned char length;
    brownout_checkpoint();
    radio_fetch(&length, 1);
    radio_fetch(payload, length & 31); //~ ERROR [tainted-address] where in `payload` is written
    other = length;
    return 0;
}
