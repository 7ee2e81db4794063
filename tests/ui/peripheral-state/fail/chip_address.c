//! The same registers by their addresses, as a driver of one's own has them.
//@ config: chip = "msp430fr5994"
//@ nv: !globals
#include <brownout.h>
#define PORT1(offset) (*(volatile unsigned char *)(0x0200 + (offset)))
#define OUT 2
#define DIR 4

int main(void) {
    PORT1(DIR) = 1;    //~ ERROR [peripheral-state] `P1DIR`
    brownout_checkpoint();
    PORT1(OUT) = 1;    //~ NOTE [peripheral-state] used here
    return 0;
}
