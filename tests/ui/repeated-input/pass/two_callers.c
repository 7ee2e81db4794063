//! A helper sets a flag for two callers; only one of them asks an input, and it clears its own flag first.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int wanted;
int hot;
int enabled;

static void set_if(int condition, int *flag) {
    if (condition) {
        *flag = 1;
    }
}

int main(void) {
    brownout_checkpoint();
    hot = 0;
    set_if(wanted > 0, &enabled);
    set_if(read_adc() > 40, &hot);
    return 0;
}
