//! What was read before the checkpoint is used after it: nothing but a register differs there.
//@ static: harm
#include <brownout.h>

void send(int value) BROWNOUT_OUTPUT();

BROWNOUT_NV int word;

int main(void) {
    brownout_checkpoint();
    int old = word;
    word = 7;                 //~ static: locals
    brownout_checkpoint();
    send(old);
    return 0;
}
