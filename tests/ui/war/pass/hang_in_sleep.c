//! Four bytes are a command, and what was received of one is thrown away at boot.
//@ policy: restart
//@ config: chip = "msp430fr5969"
#include <msp430.h>

__attribute__((section(".persistent"))) volatile unsigned char received = 0;
__attribute__((section(".persistent"))) unsigned commands = 0;

__attribute__((interrupt(PORT1_VECTOR))) void receive(void) {
    if (received < 8)
        received++;
    if (received == 4)
        __bic_SR_register_on_exit(LPM0_bits);
}

int main(void) {
    WDTCTL = WDTPW | WDTHOLD;
    P1IE = 1;
    received = 0;
    for (;;) {
        __bis_SR_register(LPM0_bits | GIE);
        commands++;
        received = 0;
    }
}
