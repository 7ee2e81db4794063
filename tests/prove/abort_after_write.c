//! An attempt that is about to abort writes, and power fails before it does; the next attempt goes on.
//@ verdict: counterexample
#include <brownout.h>
#include <stdlib.h>
int sense(void) BROWNOUT_INPUT;
BROWNOUT_NV int errors, seen;
int main(void) {
    brownout_checkpoint();
    if (sense() > 100) {
        errors = 1;
        abort();
    }
    seen = errors;
    brownout_checkpoint();
    return seen;
}
