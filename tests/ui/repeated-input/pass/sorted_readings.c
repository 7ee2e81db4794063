//! The median of sorted readings is stored.
//@ args: --static
#include <brownout.h>
#include <stdlib.h>

int read_adc(void) BROWNOUT_INPUT;

int alarm;

static int by_size(const void *a, const void *b) {
    int left = *(const int *)a;
    int right = *(const int *)b;
    return left < right ? -1 : left > right;
}

int main(void) {
    int samples[5];
    brownout_checkpoint();
    for (int i = 0; i < 5; i++) {
        samples[i] = read_adc();
    }
    qsort(samples, 5, sizeof samples[0], by_size);
    alarm = samples[2] > 30;
    return 0;
}
