//! A helper sets a flag for two callers; only one of them asks an input.
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

int main(void) {
    brownout_checkpoint();
    set_if(wanted > 0, &enabled);
    set_if(read_adc() > 40, &hot);
    return 0;
}
