//! What was sent is cleared after the next checkpoint.
#include <brownout.h>

BROWNOUT_NV int message, sent;
BROWNOUT_NV int round;

int main(void) {
    while (round < 40) {
        int next = round + 1;
        message = round;
        brownout_checkpoint();
        sent = message;
        brownout_checkpoint();
        message = -1;
        round = next;
        brownout_checkpoint();
    }
    for (;;)
        ;
}
