//! What is not compared may differ, but not what it decides.
//@ verdict: counterexample
//@ args: --set compare.ignore=symbol:attempts
#include <brownout.h>
BROWNOUT_NV int attempts, level;
int main(void) {
    brownout_checkpoint();
    attempts++;
    level = attempts > 1 ? 7 : 3;
    brownout_checkpoint();
    return 0;
}
