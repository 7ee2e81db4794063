//! Each element of an array is read and then replaced by a reading; the sum decides.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int samples[8];
int alarm;

int main(void) {
    brownout_checkpoint();
    int sum = 0;
    for (int i = 0; i < 8; i++) {
        sum += samples[i];
        samples[i] = read_adc(); //~ ERROR [war] `samples`
        sum -= samples[i];
    }
    if (sum > 100) { //~ ERROR [repeated-input] whether `alarm` is written
        alarm = 1;
    }
    return 0;
}
