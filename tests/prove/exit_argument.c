//! The argument of `exit` is the exit status, wherever it is called.
//@ verdict: counterexample
//@ finding: war n
#include <brownout.h>
#include <stdlib.h>
BROWNOUT_NV int n;
static void leave(int status) {
    if (status > 2)
        exit(status);
}
int main(void) {
    n = 7;
    brownout_checkpoint();
    int first = n;
    n = 5;
    leave(first);
    return 0;
}
