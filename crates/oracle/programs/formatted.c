//! Work that is done once ends with a commit of its own: whoever does not repeat it comes to the next one.
//@ static: harmless
#include <brownout.h>

void send(int value) BROWNOUT_OUTPUT();

BROWNOUT_NV int formatted, level;

int main(void) {
    brownout_checkpoint();
    if (!formatted) {
        level = 3;
        formatted = 1;
        brownout_checkpoint();
    }
    send(level);
    brownout_checkpoint();
    send(level + 1);
    return 0;
}
