//! An output that must not be repeated, and is.
//@ verdict: counterexample
#include <brownout.h>
void fire(int charge) BROWNOUT_OUTPUT(at_most_once);
BROWNOUT_NV int fired;
int main(void) {
    brownout_checkpoint();
    fire(1);
    fired = 1;
    brownout_checkpoint();
    return 0;
}
