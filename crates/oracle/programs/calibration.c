//! A calibration that is done once: the reading that was kept is the one that counts.
//@ restart fresh: harmless
//@ static fresh: harmless
//@ static: harmless
//@ input sense: 21 25 28 30 33
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;
void send(int value) BROWNOUT_OUTPUT();

BROWNOUT_NV int zero, calibrated;

int main(void) {
    brownout_checkpoint();
    if (!calibrated) {
        zero = sense();
        calibrated = 1;
    }
    send(zero);
    brownout_checkpoint();
    send(zero + 1);
    return 0;
}
