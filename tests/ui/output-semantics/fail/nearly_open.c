//! A valve that overshoots when it was nearly open: only a failure at the very end of the output shows it.
//@ nv: !globals
//@ config: [[output]]
//@ config: function = "open_to"
//@ config: semantics = "absolute"
//@ config: script = "if opened > 90 && opened < 100 { opened += arg0 } else { opened = arg0 }"
//@ config: takes = 40
//@ config: [environment]
//@ config: opened = 0
#include <brownout.h>
void open_to(int percent);

int main(void) {
    brownout_checkpoint();
    open_to(100);   //~ ERROR [output-semantics] repeating it when power fails in the middle of it leaves `opened` = 197 instead of 100
    return 0;
}
