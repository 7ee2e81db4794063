//! An element is replaced, and read again after a checkpoint before it is replaced once more.
//@ args: --static
#include <brownout.h>

int samples[8];
int chosen;
int kept;

int main(void) {
    brownout_checkpoint();
    int at = chosen & 7;
    samples[at] = 1;
    brownout_checkpoint();
    kept = samples[at];
    samples[at] = 2; //~ ERROR [war] `samples
    return kept;
}
