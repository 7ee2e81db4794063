//! The same, with what is overwritten saved by the checkpoint.
//@ policy: static
#include <brownout.h>

__attribute__((section("FRAMVARS"))) int fram = 1;
__attribute__((section(".mram"))) int mram = 1;
__attribute__((section(".nvram"))) int nvram = 1;

int main(void) {
    brownout_checkpoint_with(&fram, sizeof fram, &mram, sizeof mram, &nvram, sizeof nvram);
    fram = fram + 1;
    mram = mram + 1;
    nvram = nvram + 1;
    brownout_checkpoint();
    return 0;
}
