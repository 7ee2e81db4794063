//! Zero is written again.
//@ nv: !globals
//@ config: mmio = "state"
#include <brownout.h>
extern volatile unsigned char P1DIR;

int main(void) {
    P1DIR = 0;                // all pins are inputs
    brownout_checkpoint();
    P1DIR = 0;
    P1DIR |= 0x02;
    return 0;
}
