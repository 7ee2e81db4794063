//! A valve that takes time: a failure in the middle leaves it half open, and it goes on from there.
//@ nv: !globals
//@ config: [[output]]
//@ config: function = "open_by"
//@ config: semantics = "absolute"
//@ config: script = "if opened < 100 { opened += arg0 }"
//@ config: takes = 40
//@ config: [environment]
//@ config: opened = 0
#include <brownout.h>
void open_by(int percent);

int main(void) {
    brownout_checkpoint();
    open_by(100);   //~ ERROR [output-semantics] repeating it when power fails in the middle of it leaves `opened` = 150 instead of 100
    return 0;
}
