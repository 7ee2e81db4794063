//! The direction is set again after the checkpoint.
//@ config: chip = "msp430fr5994"
//@ nv: !globals
#include <brownout.h>
#define PORT1(offset) (*(volatile unsigned char *)(0x0200 + (offset)))
#define OUT 2
#define DIR 4

int main(void) {
    PORT1(DIR) = 1;
    brownout_checkpoint();
    PORT1(DIR) = 1;
    PORT1(OUT) = 1;
    return 0;
}
