//! A loop over an array is one defect, not one per element.
#include <brownout.h>

int samples[8];

int main(void) {
    brownout_checkpoint();
    for (int i = 0; i < 8; i++)
        samples[i] = samples[i] + 1; //~ ERROR [war] `samples; `samples[0]` = 2 instead of 1
    return 0;
}
