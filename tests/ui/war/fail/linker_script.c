//! A section whose name says nothing: the linker script puts it into FRAM. The other one is in RAM, and a checkpoint
//! brings it back.
//@ policy: static
//@ config: chip = "msp430fr5969"
//@ flags: -Wl,-T,linker_script.cmd
#include <brownout.h>

__attribute__((section(".settings"))) int kept = 1;
__attribute__((section(".scratch"))) int lost = 1;

int main(void) {
    brownout_checkpoint();
    kept = kept + 1; //~ ERROR [war] `kept` is read, then overwritten
    lost = lost + 1;
    brownout_checkpoint();
    return 0;
}
