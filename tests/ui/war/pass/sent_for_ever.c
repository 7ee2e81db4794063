//! After the last instruction that a device can execute without a checkpoint, its loop does nothing but send: both executions
//! are compared at the head of it.
//@ policy: conditional
//@ depth: 14
//@ target: msp430
#include <brownout.h>

BROWNOUT_NV volatile int level;

void send(int) BROWNOUT_OUTPUT();

int main(void) {
    brownout_checkpoint();
    int before = level;
    (void)before;
    level = 5; //~ NOTE [war] benign
    for (;;) {
        send(1);
        send(2);
        send(3);
        send(4);
        send(5);
    }
}
