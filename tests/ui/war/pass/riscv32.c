//! Saved.
//@ target: riscv32
#include <brownout.h>

int count = 0xffff;

int main(void) {
    brownout_checkpoint_with(&count, sizeof count);
    count = count + 1;
    return 0;
}
