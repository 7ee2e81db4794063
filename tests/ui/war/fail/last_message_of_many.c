//! A buffer is overwritten when it was sent. What a failure sends again, the next round sends over; only after the last of forty
//! thousand rounds it stays.
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
        buffer = 0xff; //~ ERROR [war] `buffer`; `sent` = 255
                       //~^^ NOTE [war] read here
    }
    brownout_checkpoint();
    return 0;
}
