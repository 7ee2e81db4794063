//! A port is set bit by bit: the second write keeps bits that a restore has lost.
//@ nv: !globals
//@ config: mmio = "state"
#include <brownout.h>
extern volatile unsigned char P1DIR;

int main(void) {
    P1DIR = 0x01;             //~ ERROR [peripheral-state] `P1DIR` was written before the last checkpoint, and is lost if power fails before it is read
    brownout_checkpoint();
    P1DIR |= 0x02;            //~ NOTE [peripheral-state] used here
    return 0;
}
