//! A sum is taken, then the array is cleared.
//@ config: [memory]
//@ config: atomic-write = "any"
#include <brownout.h>
#include <string.h>

int samples[4] = {1, 2, 3, 4};
int total;

int main(void) {
    int sum = 0;
    brownout_checkpoint();
    for (int i = 0; i < 4; i++)
        sum += samples[i]; //~ NOTE [war] read here
    total = sum;
    memset(samples, 0, sizeof samples); //~ ERROR [war] `samples; `total` = 0 instead of 10
    return 0;
}
