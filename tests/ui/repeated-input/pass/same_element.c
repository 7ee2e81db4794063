//! Each element of an array is replaced by a reading and then read, which no other attempt can disturb; the sum is stored.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int samples[8];
int alarm;

int main(void) {
    brownout_checkpoint();
    int sum = 0;
    for (int i = 0; i < 8; i++) {
        samples[i] = read_adc();
        sum += samples[i];
    }
    alarm = sum > 100;
    return 0;
}
