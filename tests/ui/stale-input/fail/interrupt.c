//! An interrupt handler sets a global; the main loop uses it a checkpoint later.
//@ nv: !globals
#include <brownout.h>
int radio_byte(void) BROWNOUT_INPUT;
void send(int) BROWNOUT_OUTPUT(absolute);
volatile BROWNOUT_MOST_RECENT int received;

static void handler(void) {
    received = radio_byte();   //~ ERROR [stale-input] `received` holds a reading of `radio_byte` that is 1 commit old
}

int main(void) {
    void (*vector)(void) = handler;
    vector();
    brownout_checkpoint();
    send(received);            //~ NOTE [stale-input] used here
    return 0;
}
