//! All bits are written after the checkpoint.
//@ nv: !globals
//@ config: mmio = "state"
#include <brownout.h>
extern volatile unsigned char P1DIR;

int main(void) {
    P1DIR = 0x01;
    brownout_checkpoint();
    P1DIR = 0x01;
    P1DIR |= 0x02;
    return 0;
}
