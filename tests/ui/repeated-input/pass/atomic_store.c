//! An atomic store on each side.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int ready;

int main(void) {
    brownout_checkpoint();
    if (read_adc() > 7) {
        __atomic_store_n(&ready, 1, __ATOMIC_SEQ_CST);
    } else {
        __atomic_store_n(&ready, 0, __ATOMIC_SEQ_CST);
    }
    return 0;
}
