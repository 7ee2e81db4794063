//! The worked example of VMCAI'18 §2: `nv` is read and written, and saved.
//@ verdict: proved
#include <brownout.h>
BROWNOUT_NV int nv;
int main(void) {
    brownout_checkpoint_with(&nv, sizeof nv);
    nv++;
    brownout_checkpoint();
    return 0;
}
