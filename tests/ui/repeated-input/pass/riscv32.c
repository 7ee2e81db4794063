//! A target of 32 bits, with a reading of 64; both sides write.
//@ args: --static
//@ target: riscv32
#include <brownout.h>
#include <stdint.h>

int64_t read_clock(void) BROWNOUT_INPUT;

int64_t late;
int64_t early;

int main(void) {
    brownout_checkpoint();
    int64_t now = read_clock();
    if (now > 1000000000000) {
        late = now;
        early = 0;
    } else {
        late = 0;
        early = now;
    }
    return 0;
}
