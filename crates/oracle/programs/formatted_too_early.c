//! Work that is done once, and remembered before it is done: whoever does not repeat it has not done it.
//@ static: harm
#include <brownout.h>

void send(int value) BROWNOUT_OUTPUT();

BROWNOUT_NV int formatted, level;

int main(void) {
    brownout_checkpoint();
    if (!formatted) {
        formatted = 1; //~ static: send, level
        level = 3;
        brownout_checkpoint();
    }
    send(level);
    brownout_checkpoint();
    send(level + 1);
    return 0;
}
