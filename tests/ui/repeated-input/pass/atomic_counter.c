//! An atomic counter under the branch; the checkpoint saves it.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int count;

int main(void) {
    brownout_checkpoint_with(&count, sizeof count);
    if (read_adc() > 7) {
        __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
    }
    return 0;
}
