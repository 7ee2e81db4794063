//! An output that adds up is done again: not repeatable, and nobody said that it must not be.
//@ verdict: unknown
//@ reason: outputs can differ (`turn` at line 8)
#include <brownout.h>
void turn(int degrees) BROWNOUT_OUTPUT(relative);
int main(void) {
    brownout_checkpoint();
    turn(10);
    brownout_checkpoint();
    return 0;
}
