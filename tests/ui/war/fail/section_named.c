//! A section that only the scenario says is non-volatile.
//@ nv: section:.slow
#include <brownout.h>

__attribute__((section(".slow"))) int kept;

int main(void) {
    brownout_checkpoint();
    kept = kept + 1; //~ ERROR [war] `kept`; `kept` = 2 instead of 1
    return 0;
}
