//! Steps after a reset in the same region come out the same.
//@ nv: !globals
//@ config: [[output]]
//@ config: function = "clear"
//@ config: effect = "count = 0"
//@ config: [[output]]
//@ config: function = "step"
//@ config: semantics = "absolute"
//@ config: effect = "count += arg0"
//@ config: [environment]
//@ config: count = 7
#include <brownout.h>
void clear(void);
void step(int);

int main(void) {
    brownout_checkpoint();
    clear();
    step(3);   //~ NOTE [output-semantics] `clear` and `step` do not commute: `count` is 3 after both, 0 the other way round
    return 0;
}
