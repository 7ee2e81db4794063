//! Cleared in the next region.
#include <brownout.h>
#include <string.h>

int samples[4] = {1, 2, 3, 4};
int total;

int main(void) {
    int sum = 0;
    brownout_checkpoint();
    for (int i = 0; i < 4; i++)
        sum += samples[i];
    total = sum;
    brownout_checkpoint();
    memset(samples, 0, sizeof samples);
    return 0;
}
