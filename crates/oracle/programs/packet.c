//! A half-received packet is thrown away at boot.
//@ restart: harmless
//@ restart fresh: harmless
//@ input receive: 3 1 4 1 5 9 2 6 5
#include <brownout.h>

int receive(void) BROWNOUT_INPUT;

BROWNOUT_NV volatile int byte[4], got, sum;

int main(void) {
    got = 0;
    for (;;) {
        byte[got] = receive();
        got = got + 1;
        if (got == 4) {
            sum = byte[0] + byte[1] + byte[2] + byte[3];
            got = 0;
        }
    }
}
