//! Nothing is changed when a counter is cleared twice: it is not relative.
//@ nv: !globals
//@ config: [[output]]
//@ config: function = "clear"
//@ config: semantics = "relative"
//@ config: effect = "count = 0"
//@ config: [environment]
//@ config: count = 7
#include <brownout.h>
void clear(void);

int main(void) {
    brownout_checkpoint();
    clear();   //~ ERROR [output-semantics] `clear` is meant to be relative, but repeating it changes nothing
    return 0;
}
