//! Zero may be what a reset leaves, or not: that is not tried.
//@ nv: !globals
//@ config: mmio = "state"
#include <brownout.h>
extern volatile unsigned char P1DIR;

int main(void) {
    P1DIR = 0;                //~ ERROR [peripheral-state] `P1DIR` was written before the last checkpoint; located
    brownout_checkpoint();
    P1DIR |= 0x02;            //~ NOTE [peripheral-state] used here
    return 0;
}
