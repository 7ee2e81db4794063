//! The same, saved too late: the checkpoint after the increment saves it.
//@ verdict: counterexample
//@ finding: war nv
#include <brownout.h>
BROWNOUT_NV int nv;
int main(void) {
    brownout_checkpoint();
    nv++;
    brownout_checkpoint_with(&nv, sizeof nv);
    return 0;
}
