//! A handler that only the hardware calls stores what it sees at a port.
//@ args: --static
//@ config: mmio = "input"
#include <brownout.h>

extern volatile unsigned char P1IN;
void __enable_interrupt(void);

int pressed;
int rounds;

__attribute__((interrupt(4))) void on_port(void) {
    pressed = P1IN & 0x08;
}

int main(void) {
    __enable_interrupt();
    for (;;) {
        brownout_checkpoint();
        rounds = 1;
    }
}
