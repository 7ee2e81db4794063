//! A handler that only the hardware calls looks at a port.
//@ args: --static
//@ config: mmio = "input"
//@ possible: interrupts are not emulated
#include <brownout.h>

extern volatile unsigned char P1IN;
void __enable_interrupt(void);

int pressed;
int rounds;

__attribute__((interrupt(4))) void on_port(void) {
    if (P1IN & 0x08) { //~ ERROR [repeated-input] whether `pressed` is written
        pressed = 1;
    }
}

int main(void) {
    __enable_interrupt();
    for (;;) {
        brownout_checkpoint();
        rounds = 1;
    }
}
