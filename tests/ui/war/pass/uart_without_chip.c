//! The number is sent before it is counted: a failure repeats it.
#include <msp430.h>

__attribute__((persistent)) unsigned char number = 0;

int main(void) {
    WDTCTL = WDTPW | WDTHOLD;
    for (;;) {
        unsigned char next = number + 1;
        UCA0TXBUF = next;
        number = next;
    }
}
