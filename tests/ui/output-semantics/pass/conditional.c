//! The call before the second output may not commit: then both are repeated, and come out the same.
//@ nv: !globals
//@ policy: conditional
//@ config: [[output]]
//@ config: function = "set_count"
//@ config: effect = "count = arg0"
//@ config: [[output]]
//@ config: function = "publish"
//@ config: semantics = "absolute"
//@ config: effect = "shown = count"
//@ config: [environment]
//@ config: count = 0
//@ config: shown = 0
#include <brownout.h>
void set_count(int);
void publish(void);

int main(void) {
    brownout_checkpoint();
    set_count(1);
    brownout_checkpoint();
    publish();   //~ NOTE [output-semantics] `set_count` and `publish` do not commute: `shown` is 1 after both, 0 the other way round
    return 0;
}
