//! Read in one region, written in the next: never in one.
//@ static: harmless
#include <brownout.h>

void send(int value) BROWNOUT_OUTPUT();

BROWNOUT_NV int count;

int main(void) {
    for (int i = 0; i < 3; i++) {
        brownout_checkpoint();
        int next = count + 1;
        send(next);
        brownout_checkpoint();
        count = next;
    }
    return 0;
}
