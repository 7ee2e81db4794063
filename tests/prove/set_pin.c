//! An output that replaces what it did before, in every attempt.
//@ verdict: proved
//@ assumes: output `set_pin` replaces what it did before
#include <brownout.h>
void set_pin(int level) BROWNOUT_OUTPUT(absolute);
BROWNOUT_NV int count;
int main(void) {
    brownout_checkpoint_with(&count, sizeof count);
    count++;
    set_pin(count & 1);
    brownout_checkpoint();
    return 0;
}
