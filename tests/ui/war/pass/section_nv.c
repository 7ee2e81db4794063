//! The object in the section is saved.
#include <brownout.h>

__attribute__((section(".nv"))) int kept;
int lost;

int main(void) {
    brownout_checkpoint_with(&kept, sizeof kept);
    kept = kept + 1;
    lost = lost + 1;
    return 0;
}
