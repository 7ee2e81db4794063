//! An atomic counter under the branch is read and written in one go.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int count;

int main(void) {
    brownout_checkpoint();
    if (read_adc() > 7) { //~ ERROR [repeated-input] whether `count` is written
        __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST); //~ ERROR [war] `count`
    }
    return 0;
}
