//! Nobody names the chip, but what is written into the port leaves it: the number is counted before it is sent.
#include <msp430.h>

__attribute__((persistent)) unsigned char number = 0;

int main(void) {
    WDTCTL = WDTPW | WDTHOLD;
    for (;;) {
        number++; //~ ERROR [war] `number`
        UCA0TXBUF = number;
    }
}
