//! The same without the checkpoint in between.
//@ static: harm
#include <brownout.h>

void send(int value) BROWNOUT_OUTPUT();

BROWNOUT_NV int count;

int main(void) {
    for (int i = 0; i < 3; i++) {
        brownout_checkpoint();
        int next = count + 1;
        send(next);
        count = next;         //~ static: count, send
    }
    return 0;
}
