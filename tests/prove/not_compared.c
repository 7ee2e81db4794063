//! What is not compared may differ, as far as nothing else comes of it.
//@ verdict: proved
//@ assumes: `attempts` may differ
//@ args: --set compare.ignore=symbol:attempts
#include <brownout.h>
BROWNOUT_NV int attempts, level;
int main(void) {
    brownout_checkpoint();
    attempts++;
    level = 3;
    brownout_checkpoint();
    return 0;
}
