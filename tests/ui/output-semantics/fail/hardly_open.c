//! A valve that jams when it was hardly open: only a failure at the very beginning of the output shows it.
//@ nv: !globals
//@ config: [[output]]
//@ config: function = "open_to"
//@ config: semantics = "absolute"
//@ config: script = "if opened == 0 || opened > 10 { opened = arg0 }"
//@ config: takes = 40
//@ config: [environment]
//@ config: opened = 0
#include <brownout.h>
void open_to(int percent);

int main(void) {
    brownout_checkpoint();
    open_to(100);   //~ ERROR [output-semantics] repeating it when power fails in the middle of it leaves `opened` = 2 instead of 100
    return 0;
}
