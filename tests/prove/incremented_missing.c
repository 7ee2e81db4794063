//! The same without saving `nv`: every power failure counts once more.
//@ verdict: counterexample
//@ finding: war nv
#include <brownout.h>
BROWNOUT_NV int nv;
int main(void) {
    brownout_checkpoint();
    nv++;
    brownout_checkpoint();
    return 0;
}
