//! The twin of `abort_after_write`: what the aborting attempt writes is saved.
//@ verdict: proved
#include <brownout.h>
#include <stdlib.h>
int sense(void) BROWNOUT_INPUT;
BROWNOUT_NV int errors, seen;
int main(void) {
    brownout_checkpoint_with(&errors, sizeof errors, &seen, sizeof seen);
    if (sense() > 100) {
        errors = 1;
        abort();
    }
    seen = errors;
    brownout_checkpoint();
    return seen;
}
