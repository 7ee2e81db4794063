//! A pointer to a device register or to a variable that the region changes: what is read is not always a reading.
//@ verdict: unknown
//@ reason: a read of a register or of memory
#include <brownout.h>
extern volatile int PORT;
BROWNOUT_NV volatile int level = 5;
BROWNOUT_NV int seen, remote;
int main(void) {
    brownout_checkpoint();
    volatile int *source = remote ? &PORT : &level;
    seen = *source;
    level = 5;
    brownout_checkpoint();
    return seen;
}
