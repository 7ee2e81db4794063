//! A valve that goes where it is told from wherever it is.
//@ nv: !globals
//@ config: [[output]]
//@ config: function = "open_to"
//@ config: semantics = "absolute"
//@ config: script = "if opened != arg0 { opened = arg0 }"
//@ config: takes = 40
//@ config: [environment]
//@ config: opened = 0
#include <brownout.h>
void open_to(int percent);

int main(void) {
    brownout_checkpoint();
    open_to(100);
    return 0;
}
