//! What an endless program never touches again stays wrong for ever.
//@ verdict: counterexample
//@ finding: war starts
#include <brownout.h>
BROWNOUT_NV int starts, rounds;

int main(void)
{
    starts = starts + 1;
    for (;;) {
        brownout_checkpoint();
        rounds = 0;
    }
}
