//! Nobody uses what was read.
//@ static: harmless
#include <brownout.h>

void send(int value) BROWNOUT_OUTPUT();

BROWNOUT_NV int word;
BROWNOUT_NV volatile int copy;

int main(void) {
    brownout_checkpoint();
    int old = word;
    copy = old;
    word = 7;
    copy = 1;
    brownout_checkpoint();
    send(3);
    return 0;
}
