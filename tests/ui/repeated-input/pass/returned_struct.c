//! The reading comes back in a structure; the branch is on a field that no input decides.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

struct sample {
    int channel;
    int value;
    int weight;
};

int channel;
int high;
int last;

static struct sample take(void) {
    struct sample sample;
    sample.channel = channel;
    sample.value = read_adc();
    sample.weight = 2;
    return sample;
}

int main(void) {
    brownout_checkpoint();
    struct sample sample = take();
    last = sample.value * sample.weight;
    if (sample.channel > 10) {
        high = 1;
    }
    return 0;
}
