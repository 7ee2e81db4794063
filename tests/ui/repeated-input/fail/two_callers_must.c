//! Both sides store through the same helper, but to different variables.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int low;
int high;

static void store(int *to, int value) {
    *to = value;
}

int main(void) {
    brownout_checkpoint();
    store(&low, 0);
    int now = read_adc();
    if (now > 40) { //~ ERROR [repeated-input] whether `high` is written
        store(&high, now);
    } else {
        store(&low, now);
    }
    return 0;
}
