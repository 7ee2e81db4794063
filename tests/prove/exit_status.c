//! The exit status is what the world sees last: here it tells that power failed.
//@ verdict: counterexample
//@ finding: war n
#include <brownout.h>
BROWNOUT_NV int n;
int main(void) {
    n = 7;
    brownout_checkpoint();
    int first = n;
    n = 5;
    return first;
}
