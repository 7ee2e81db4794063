//! The reading comes back through a pointer; both variables are cleared first.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int fan;
int heater;

static void measure(int *to) {
    *to = read_adc();
}

int main(void) {
    brownout_checkpoint();
    int now;
    measure(&now);
    fan = heater = 0;
    if (now > 25) {
        fan = 1;
    } else {
        heater = 1;
    }
    return 0;
}
