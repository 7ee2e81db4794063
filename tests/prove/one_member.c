//! One member is counted up, the other is written only: a part of the object is enough.
//@ verdict: counterexample
//@ finding: war calibration.rounds
#include <brownout.h>

struct calibration { int offset, rounds; };
BROWNOUT_NV struct calibration calibration;
BROWNOUT_NV int done;

int main(void)
{
    brownout_checkpoint();
    calibration.offset = 7;
    calibration.rounds = calibration.rounds + 1;
    done = 1;
    return 0;
}
