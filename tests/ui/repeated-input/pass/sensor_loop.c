//! The mean of eight readings decides the value of the alarm, which every attempt writes.
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
    alarm = mean > 100;
    return 0;
}
