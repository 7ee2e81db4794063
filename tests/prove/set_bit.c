//! Setting a bit twice is setting it once, in a flag and in a bit-field.
//@ verdict: proved
#include <brownout.h>
BROWNOUT_NV unsigned flags;
BROWNOUT_NV struct { unsigned mode : 3, level : 4; } s;
int main(void) {
    brownout_checkpoint();
    flags |= 4;
    s.level = 9;
    brownout_checkpoint();
    s.mode = 2;
    return 0;
}
