//! The same tries, of which nobody has said that they are counted on purpose.
//@ static: harm
#include <brownout.h>

void send(int value) BROWNOUT_OUTPUT();

BROWNOUT_NV int tries;
BROWNOUT_NV int done;

int main(void) {
    brownout_checkpoint();
    if (!done) {
        tries = tries + 1;    //~ static: tries
        send(4);
        done = 1;
    }
    brownout_checkpoint();
    return 0;
}
