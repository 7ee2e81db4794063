//! Both sides store through the same helper, to the same variable.
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
    if (now > 40) {
        store(&high, now);
    } else {
        store(&high, 40);
    }
    return 0;
}
