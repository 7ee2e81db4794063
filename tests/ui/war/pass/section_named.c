//! The object is in another section.
//@ nv: section:.slow
#include <brownout.h>

__attribute__((section(".fast"))) int kept;
__attribute__((section(".slow"))) int other;

int main(void) {
    brownout_checkpoint();
    kept = kept + 1;
    return 0;
}
