//! What the second attempt finds decides where it writes: what the first one wrote stays, and is
//! overwritten in the next region before anybody reads it.
//@ static: harmless
#include <brownout.h>

void send(int value) BROWNOUT_OUTPUT();

BROWNOUT_NV int word, half;

int main(void) {
    for (int i = 0; i < 3; i++) {
        brownout_checkpoint();
        half = half + 1;
        brownout_checkpoint();
        half = 2 * i;
        word = half;
        send(half);
    }
    return 0;
}
