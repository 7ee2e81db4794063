//! Only the value that the solver finds for the reading shows the harm.
//@ verdict: counterexample
#include <brownout.h>
unsigned sense(void) BROWNOUT_INPUT;
BROWNOUT_NV unsigned char alarm;
int main(void) {
    brownout_checkpoint();
    unsigned reading = sense();
    if ((unsigned)(reading * reading + 3 * reading) == 12398u) alarm = 1;
    brownout_checkpoint();
    return alarm;
}
