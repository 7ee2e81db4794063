//! The handler's byte is used at once.
//@ nv: !globals
#include <brownout.h>
int radio_byte(void) BROWNOUT_INPUT;
void send(int) BROWNOUT_OUTPUT(absolute);
volatile BROWNOUT_MOST_RECENT int received;

static void handler(void) {
    received = radio_byte();
}

int main(void) {
    void (*vector)(void) = handler;
    brownout_checkpoint();
    vector();
    send(received);
    brownout_checkpoint();
    return 0;
}
