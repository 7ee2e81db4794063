//! The checkpoint saves the whole array.
#include <brownout.h>

int samples[8];

int main(void) {
    brownout_checkpoint_with(samples, sizeof samples);
    for (int i = 0; i < 8; i++)
        samples[i] = samples[i] + 1;
    return 0;
}
