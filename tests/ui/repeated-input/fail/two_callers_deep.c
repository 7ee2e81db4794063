//! Two callers use a helper through another helper; only one of them has a reading.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int wanted;
int hot;
int enabled;

static void set_if(int condition, int *flag) {
    if (condition) { //~ ERROR [repeated-input] whether `hot` is written
        *flag = 1;
    }
}

static void above(int value, int limit, int *flag) {
    set_if(value > limit, flag);
}

int main(void) {
    brownout_checkpoint();
    above(wanted, 0, &enabled);
    above(read_adc(), 40, &hot);
    return 0;
}
