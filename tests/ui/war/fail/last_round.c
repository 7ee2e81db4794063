//! Every round overwrites what a failure has made of the one before, but nothing comes after the last one.
#include <brownout.h>

BROWNOUT_NV int message, sent;
BROWNOUT_NV int round;

int main(void) {
    while (round < 40) {
        int next = round + 1;
        message = round;
        brownout_checkpoint();
        sent = message; //~ NOTE [war] read here
        message = -1; //~ ERROR [war] `message`; `sent` = -1; instead of 39
        brownout_checkpoint();
        round = next;
        brownout_checkpoint();
    }
    for (;;)
        ;
}
