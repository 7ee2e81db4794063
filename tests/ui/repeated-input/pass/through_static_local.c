//! The reading is remembered in a static variable of a function; each call writes the answer.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int rising;

static int filtered(int ask) {
    static int kept;
    if (ask) {
        kept = read_adc() / 2;
    }
    return kept;
}

int main(void) {
    brownout_checkpoint();
    filtered(1);
    rising = filtered(0) > 4;
    return 0;
}
