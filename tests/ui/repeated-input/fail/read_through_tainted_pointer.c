//! The reading chooses which entry of a table is looked up, and the entry decides.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

static const int actions[4] = {0, 1, 1, 0};
int started;

int main(void) {
    brownout_checkpoint();
    const int *action = &actions[read_adc() & 3];
    if (*action) { //~ ERROR [repeated-input] whether `started` is written
        started = 1;
    }
    return 0;
}
