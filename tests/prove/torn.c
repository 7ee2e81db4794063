//! A store that is written in two parts, over a value that nobody reads before.
//@ verdict: proved
//@ args: --set memory.atomic-write=2
#include <brownout.h>
BROWNOUT_NV long stamp;
BROWNOUT_NV int id;
int main(void) {
    brownout_checkpoint();
    stamp = 0x12345678L + id;
    brownout_checkpoint();
    return (int)stamp;
}
