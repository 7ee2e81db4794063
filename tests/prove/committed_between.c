//! The same with checkpoints that always commit: one lies between the read and the write.
//@ verdict: proved
#include <brownout.h>
BROWNOUT_NV int count;
int main(void) {
    brownout_checkpoint();
    int before = count;
    brownout_checkpoint();
    count = before + 1;
    brownout_checkpoint();
    return count;
}
