//! One that is, and says so (SEMANTICS §3.7).
#include <brownout.h>

BROWNOUT_INTERMITTENCE_AWARE BROWNOUT_NV unsigned reboots;

int main(void) {
    brownout_checkpoint();
    reboots = reboots + 1;
    return 0;
}
