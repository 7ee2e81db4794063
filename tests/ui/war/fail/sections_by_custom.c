//! Sections that several vendors keep in non-volatile memory, and one of ordinary memory.
//@ policy: static
#include <brownout.h>

__attribute__((section("FRAMVARS"))) int fram = 1;
__attribute__((section(".mram"))) int mram = 1;
__attribute__((section(".nvram"))) int nvram = 1;
__attribute__((section(".backup"))) int backup = 1;
__attribute__((section(".infoB"))) int info = 1;
__attribute__((section(".data.fast"))) int fast = 1;

int main(void) {
    brownout_checkpoint();
    fram = fram + 1; //~ ERROR [war] `fram` is read, then overwritten
    mram = mram + 1; //~ ERROR [war] `mram` is read, then overwritten
    nvram = nvram + 1; //~ ERROR [war] `nvram` is read, then overwritten
    backup = backup + 1; //~ ERROR [war] `backup` is read, then overwritten
    info = info + 1; //~ ERROR [war] `info` is read, then overwritten
    fast = fast + 1;
    brownout_checkpoint();
    return 0;
}
