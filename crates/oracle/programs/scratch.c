//! A buffer that is filled before it is used: what a failure leaves in it is overwritten.
//@ static: harmless
#include <brownout.h>

void send(int value) BROWNOUT_OUTPUT();

BROWNOUT_NV int buffer[3], total;

int main(void) {
    for (int i = 0; i < 3; i++) {
        brownout_checkpoint();
        int next = total;
        for (int j = 0; j < 3; j++)
            buffer[j] = i + j;
        for (int j = 0; j < 3; j++)
            next = next + buffer[j];
        brownout_checkpoint();
        total = next;
    }
    send(total);
    return 0;
}
