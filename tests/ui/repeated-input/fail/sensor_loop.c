//! The mean of eight readings decides whether the alarm is set.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int samples[8];
int mean;
int alarm;

int main(void) {
    brownout_checkpoint();
    for (int i = 0; i < 8; i++) {
        samples[i] = read_adc();
    }
    int sum = 0;
    for (int i = 0; i < 8; i++) {
        sum += samples[i];
    }
    mean = sum / 8;
    if (mean > 100) { //~ ERROR [repeated-input] whether `alarm` is written
        alarm = 1;
    }
    return 0;
}
