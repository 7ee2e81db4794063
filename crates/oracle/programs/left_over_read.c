//! The same, but the next region reads it.
//@ static: harm
#include <brownout.h>

void send(int value) BROWNOUT_OUTPUT();

BROWNOUT_NV int word, half;

int main(void) {
    for (int i = 0; i < 3; i++) {
        brownout_checkpoint();
        half = half + 1;          //~ static: half
        brownout_checkpoint();
        word = half;
        half = 2 * i;             //~ static: send, word
        send(word);
    }
    return 0;
}
