//! Another target: 32-bit `int`.
//@ target: riscv32
#include <brownout.h>

int count = 0xffff;

int main(void) {
    brownout_checkpoint();
    count = count + 1; //~ ERROR [war] `count`; `count` = 65537 instead of 65536
    return 0;
}
