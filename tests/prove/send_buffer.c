//! An output that is given memory: what it sends is not followed.
//@ verdict: unknown
//@ reason: output `send` is given memory
#include <brownout.h>
void send(const char *text, int length) BROWNOUT_OUTPUT(absolute);
int sense(void) BROWNOUT_INPUT;
BROWNOUT_NV char message[4];
int main(void) {
    brownout_checkpoint();
    message[0] = sense();
    send(message, 1);
    brownout_checkpoint();
    return 0;
}
