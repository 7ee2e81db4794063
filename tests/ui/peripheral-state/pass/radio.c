//! The radio is set up for every transmission.
//@ nv: !globals
//@ config: [[peripheral]]
//@ config: registers = ["UCA0BR0"]
//@ config: used-by = ["transmit"]
//@ config: [[output]]
//@ config: function = "transmit"
#include <brownout.h>
extern volatile unsigned UCA0BR0;
void transmit(int);

int main(void) {
    for (int i = 0; i < 3; i++) {
        UCA0BR0 = 104;
        transmit(i);
        brownout_checkpoint();
    }
    return 0;
}
