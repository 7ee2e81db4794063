//! A reading of an earlier region decides: the solver finds it as what the region starts with.
//@ verdict: counterexample
//@ finding: war count
#include <brownout.h>
unsigned width(void) BROWNOUT_INPUT;
BROWNOUT_NV unsigned count;
int main(void) {
    unsigned wide = width();
    brownout_checkpoint();
    if ((unsigned)(wide * wide + 5 * wide) == 10706u) count++;
    brownout_checkpoint();
    return 0;
}
