//! A function that the scenario binds uses the radio that was set up long ago.
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
    UCA0BR0 = 104;            //~ ERROR [peripheral-state] `UCA0BR0` was written before the last checkpoint
    for (int i = 0; i < 3; i++) {
        transmit(i);          //~ NOTE [peripheral-state] used here
        brownout_checkpoint();
    }
    return 0;
}
