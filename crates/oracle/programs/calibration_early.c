//! Marked as done before it is: a failure in between leaves the device without its zero.
//@ restart fresh: harm
//@ static fresh: harm
//@ static: harm
//@ input sense: 21 25 28 30 33
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;
void send(int value) BROWNOUT_OUTPUT();

BROWNOUT_NV int zero, calibrated;

int main(void) {
    brownout_checkpoint();
    if (!calibrated) {
        calibrated = 1;    //~ static: send, zero
        zero = sense();    //~^ static fresh: send, zero
    }                      //~^^ restart fresh: send, zero
    send(zero);
    brownout_checkpoint();
    send(zero + 1);
    return 0;
}
