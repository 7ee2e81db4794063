//! An atomic store on one side only.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int ready;

int main(void) {
    brownout_checkpoint();
    if (read_adc() > 7) { //~ ERROR [repeated-input] whether `ready` is written
        __atomic_store_n(&ready, 1, __ATOMIC_SEQ_CST);
    }
    return 0;
}
