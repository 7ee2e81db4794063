//! Under checkpoints the index of the current buffer is read, then overwritten: the second attempt
//! goes on from the wrong side.
//@ static: harm
#include <brownout.h>

BROWNOUT_NV int buffer[2], active;

int main(void) {
    for (int i = 0; i < 3; i++) {
        brownout_checkpoint();
        int next = active ^ 1;
        buffer[next] = buffer[active] + 1;
        active = next;                      //~ static: active, buffer
    }
}
