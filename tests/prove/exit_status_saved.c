//! What is returned is saved, so that the last attempt returns it, too.
//@ verdict: proved
#include <brownout.h>
BROWNOUT_NV int n;
int main(void) {
    n = 7;
    brownout_checkpoint_with(&n, sizeof n);
    int first = n;
    n = 5;
    return first;
}
