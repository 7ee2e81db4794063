//! A buffer is overwritten when it was sent, and a checkpoint lies between the two: in the last of forty thousand rounds, too.
#include <brownout.h>

BROWNOUT_NV volatile unsigned buffer, sent;
BROWNOUT_NV unsigned scratch[4];

int main(void) {
    for (unsigned long round = 0; round < 40000; round++) {
        brownout_checkpoint();
        for (unsigned i = 0; i < 4; i++)
            scratch[i] = round + i;
        buffer = round + 7;
        brownout_checkpoint();
        sent = buffer;
        brownout_checkpoint();
        buffer = 0xff;
    }
    brownout_checkpoint();
    return 0;
}
