//! Bits of one byte that are set again by every attempt: reading them first does no harm.
//@ verdict: proved
#include <brownout.h>
BROWNOUT_NV struct {
    unsigned char ready : 1;
    unsigned char mode : 3;
} status;
int main(void) {
    brownout_checkpoint();
    status.ready = 1;
    status.mode = 5;
    brownout_checkpoint();
    return 0;
}
