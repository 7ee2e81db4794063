//! An element is replaced, read again and replaced once more.
//@ args: --static
#include <brownout.h>

int samples[8];
int chosen;
int kept;

int main(void) {
    brownout_checkpoint();
    int at = chosen & 7;
    samples[at] = 1;
    kept = samples[at];
    if (kept) {
        kept = samples[at] + 1;
    }
    samples[at] = 2;
    return kept;
}
