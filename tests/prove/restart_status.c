//! A program that starts again returns what the boot that failed has left, as it does after its end:
//! no harm, but not repeatable.
//@ verdict: unknown
//@ args: --policy restart
//@ reason: the exit status can differ
#include <brownout.h>
BROWNOUT_NV int n;
int main(void) {
    int first = n;
    n = 5;
    return first;
}
