//! A library's user sees what a function returns.
//@ verdict: counterexample
//@ finding: war n
#include <brownout.h>
BROWNOUT_NV static int n;
int take(int value) {
    n = value;
    brownout_checkpoint();
    int first = n;
    n = 5;
    return first;
}
